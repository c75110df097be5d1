// SPDX-License-Identifier: Apache-2.0
package import BrightnessCore
import Glibc
import Synchronization

/// The daemon's log, on stderr. Any thread.
///
/// - A line that is repeated within seconds is written a few times and then counted; its count follows. A panel that
///   fails a thousand times a second does not fill the disk.
/// - Control characters are escaped and long lines cut, so that clients' texts cannot forge or hide lines.
package final class DaemonLog: Sendable {
    private struct State {
        var lines = RepeatedLines<LogLine>(window: DaemonLog.window)
        /// Whether a task will write the counts of omitted lines.
        var hasTask = false
    }

    private static let window: Duration = .seconds(10)
    /// The maximum number of characters of a line.
    static let longestLine = 2_000

    private let state = Mutex(State())
    private let output: @Sendable (LogLine) -> Void
    private let now: @Sendable () -> Instant

    /// - Parameters:
    ///   - output: Receives the written lines.
    ///   - now: Reads the clock.
    package init(
        to output: @escaping @Sendable (LogLine) -> Void = DaemonLog.standardError(.text),
        now: @escaping @Sendable () -> Instant
    ) {
        self.output = output
        self.now = now
    }

    /// Writes lines of this form to stderr without blocking: if the reader hangs, lines are lost.
    static func standardError(_ format: LogFormat) -> @Sendable (LogLine) -> Void {
        { line in
            let bytes = Array(format.line(line.level, line.text, at: MachineClock.moment().wall).utf8)
            var output = pollfd(fd: STDERR_FILENO, events: Int16(POLLOUT), revents: 0)
            // Equality, because without a reader `poll` reports an error, too.
            if poll(&output, 1, 0) == 1, output.revents == Int16(POLLOUT) {
                _ = write(STDERR_FILENO, bytes, bytes.count)
            }
        }
    }

    package func logger(level: Logger.Level) -> Logger {
        Logger(level: level) { self.add($0) }
    }

    /// Writes the omitted counts. Call it at the end.
    func flush() { writeRemainders(at: nil) }

    private func add(_ line: LogLine) {
        let now = now()
        writeRemainders(at: now)
        let line = LogLine(level: line.level, text: line.text.plain(upTo: Self.longestLine))
        let (isWritten, needsTask) = state.withLock { state in
            let isWritten = state.lines.count(line, isUrgent: line.level >= .error, at: now)
            let needsTask = !isWritten && !state.hasTask
            if needsTask { state.hasTask = true }
            return (isWritten, needsTask)
        }
        if isWritten { output(line) }
        guard needsTask else { return }
        Task { [weak self] in
            repeat { try? await Task.sleep(for: Self.window) } while self?.checkRemainders() == true
        }
    }

    private func checkRemainders() -> Bool {
        writeRemainders(at: now())
        return state.withLock { state in
            state.hasTask = state.lines.hasRemainder
            return state.hasTask
        }
    }

    private func writeRemainders(at now: Instant?) {
        for remainder in state.withLock({ $0.lines.takeRemainders(at: now) }) {
            output(
                LogLine(
                    level: remainder.line?.level ?? .notice,
                    text:
                        "\(remainder.count) \(remainder.line.map { "times more: \($0.text)" } ?? "more lines omitted")"
                )
            )
        }
    }
}
