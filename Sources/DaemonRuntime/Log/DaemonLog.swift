// SPDX-License-Identifier: Apache-2.0
package import BrightnessCore
import Glibc
package import Logging
import Synchronization

/// The daemon's log, on stderr. Any thread.
///
/// - A line that is repeated within seconds is written a few times and then counted; its count follows. A panel that
///   fails a thousand times a second does not fill the disk.
/// - Control characters are escaped and long lines cut, so that clients' texts cannot forge or hide lines.
package final class DaemonLog: Sendable {
    private struct State {
        var lines = RepeatedLines()
        /// A task will write the remainders.
        var hasTask = false
    }

    static let name = "brightnessd"
    /// The maximum number of characters of a line.
    static let longestLine = 2_000

    private let state = Mutex(State())
    private let output: @Sendable (LogEvent) -> Void
    private let now: @Sendable () -> Instant

    /// - Parameters:
    ///   - output: Receives the written lines.
    ///   - now: Reads the clock.
    package init(
        to output: @escaping @Sendable (LogEvent) -> Void = DaemonLog.standardError(.text),
        now: @escaping @Sendable () -> Instant
    ) {
        self.output = output
        self.now = now
    }

    /// Writes lines of this form to stderr without blocking: if the reader hangs, lines are lost.
    package static func standardError(_ format: LogFormat) -> @Sendable (LogEvent) -> Void {
        { event in
            var now = timespec()
            clock_gettime(CLOCK_REALTIME, &now)
            let line = Array(format.line(event.level, event.message.description, at: now).utf8)
            var output = pollfd(fd: STDERR_FILENO, events: Int16(POLLOUT), revents: 0)
            // Equality, because without a reader `poll` reports an error, too.
            if poll(&output, 1, 0) == 1, output.revents == Int16(POLLOUT) { _ = write(STDERR_FILENO, line, line.count) }
        }
    }

    package func logger(level: Logger.Level) -> Logger {
        var logger = Logger(label: Self.name) { _ in Handler(log: self) }
        logger.logLevel = level
        return logger
    }

    /// Writes the omitted counts. Call it at the end.
    package func flush() { writeRemainders(at: nil) }

    fileprivate func log(_ event: LogEvent) {
        let now = now()
        writeRemainders(at: now)
        let text = event.message.description.plain(upTo: Self.longestLine)
        let line = RepeatedLines.Line(level: event.level, text: text)
        let (isWritten, isFirstOmitted) = state.withLock { state in
            let isWritten = state.lines.count(line, at: now)
            defer { state.hasTask = state.hasTask || !isWritten }
            return (isWritten, !isWritten && !state.hasTask)
        }
        if isWritten {
            var event = event
            event.message = "\(text)"
            // Hides the name of the Swift module.
            event.source = Self.name
            output(event)
        }
        guard isFirstOmitted else { return }
        Task { [weak self] in
            repeat { try? await Task.sleep(for: RepeatedLines.window) } while self?.checkRemainders() == true
        }
    }

    /// Returns whether remainders are pending.
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
                LogEvent(
                    level: remainder.line?.level ?? .notice,
                    message:
                        "\(remainder.count) \(remainder.line.map { "times more: \($0.text)" } ?? "more lines omitted")",
                    metadata: nil,
                    source: Self.name,
                    file: #fileID,
                    function: #function,
                    line: #line
                )
            )
        }
    }

    private struct Handler: LogHandler {
        let log: DaemonLog
        var logLevel = Logger.Level.info
        var metadata: Logger.Metadata = [:]

        init(log: DaemonLog) { self.log = log }

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) { log.log(event) }
    }
}
