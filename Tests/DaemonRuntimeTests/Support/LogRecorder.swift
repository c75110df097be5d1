// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import DaemonRuntime
import Synchronization
import TestSupport

/// The logged lines as `level message`. Any thread; for one reader.
final class LogRecorder: Sendable {
    let logger: Logger
    private let lines: Lines

    private final class Lines: Sendable {
        let all = Mutex<[String]>([])
        let stream = AsyncStream.makeStream(of: String.self)
    }

    init() {
        let lines = Lines()
        self.lines = lines
        let log = DaemonLog(
            to: { logged in
                let line = "\(logged.level) \(logged.text)"
                lines.all.withLock { $0.append(line) }
                lines.stream.continuation.yield(line)
            },
            now: { Moment.start.instant }
        )
        logger = log.logger(level: .debug)
    }

    var all: [String] { lines.all.withLock { $0 } }

    /// Waits for the next unread line.
    func next() async -> String? {
        for await line in lines.stream.stream { return line }
        return nil
    }
}
