// SPDX-License-Identifier: Apache-2.0
package import BrightnessCore
import Glibc
package import Logging
import Synchronization

/// The daemon's log, on stderr. A line that comes many times within seconds is said a few times and then counted, and the
/// count is said when the seconds are over: a panel that refuses a thousand times a second fills no disk. Texts that others
/// chose cannot forge a line or hide it: control characters are escaped, and a long line is cut. Any thread.
package final class DaemonLog: Sendable {
    private struct State {
        var lines = RepeatedLines()
        /// Somebody will look when a window is over.
        var isLookedAfter = false
    }

    static let name = "brightnessd"
    /// How many characters of a line are written.
    static let longestLine = 2_000

    private let state = Mutex(State())
    private let output: @Sendable (LogEvent) -> Void
    private let now: @Sendable () -> Instant

    /// - Parameters:
    ///   - output: Where lines go that are said.
    ///   - now: Reads the clock.
    package init(
        to output: @escaping @Sendable (LogEvent) -> Void = DaemonLog.standardError,
        now: @escaping @Sendable () -> Instant
    ) {
        self.output = output
        self.now = now
    }

    package static let standardError: @Sendable (LogEvent) -> Void = {
        var handler = StreamLogHandler.standardError(label: name)
        // What is to be logged was decided before.
        handler.logLevel = .trace
        let writer = Writer(handler: handler)
        return { event in writer.write(event) }
    }()

    /// Writes lines while somebody reads them. A reader that hangs stops no thread of the daemon: its lines are lost.
    private final class Writer: Sendable {
        private let handler: Mutex<StreamLogHandler>

        init(handler: StreamLogHandler) { self.handler = Mutex(handler) }

        func write(_ event: LogEvent) {
            handler.withLock { handler in
                var output = pollfd(fd: STDERR_FILENO, events: Int16(POLLOUT), revents: 0)
                // Exactly that: with a reader that is gone, an error is reported beside it.
                if poll(&output, 1, 0) == 1, output.revents == Int16(POLLOUT) { handler.log(event: event) }
            }
        }
    }

    package func logger(level: Logger.Level) -> Logger {
        var logger = Logger(label: Self.name) { _ in Handler(log: self) }
        logger.logLevel = level
        return logger
    }

    /// Says what was left out so far. Call it at the end.
    package func flush() { tellRemainders(at: nil) }

    fileprivate func log(_ event: LogEvent) {
        let now = now()
        tellRemainders(at: now)
        let text = event.message.description.plain(upTo: Self.longestLine)
        let line = RepeatedLines.Line(level: event.level, text: text)
        let (isSaid, isFirstLeftOut) = state.withLock { state in
            let isSaid = state.lines.say(line, at: now)
            defer { state.isLookedAfter = state.isLookedAfter || !isSaid }
            return (isSaid, !isSaid && !state.isLookedAfter)
        }
        if isSaid {
            var event = event
            event.message = "\(text)"
            // Whichever module it comes from.
            event.source = Self.name
            output(event)
        }
        guard isFirstLeftOut else { return }
        Task { [weak self] in
            repeat { try? await Task.sleep(for: RepeatedLines.window) } while self?.lookAfterRemainders() == true
        }
    }

    /// Returns whether there is still something to be told.
    private func lookAfterRemainders() -> Bool {
        tellRemainders(at: now())
        return state.withLock { state in
            state.isLookedAfter = state.lines.hasRemainder
            return state.isLookedAfter
        }
    }

    private func tellRemainders(at now: Instant?) {
        for remainder in state.withLock({ $0.lines.takeRemainders(at: now) }) {
            output(
                LogEvent(
                    level: remainder.line?.level ?? .notice,
                    message: "\(remainder.count) \(remainder.line.map { "times more: \($0.text)" } ?? "other lines")",
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
