// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import Glibc

/// A line of the log, before its format.
package struct LogLine: Hashable, Sendable {
    package let level: Logger.Level
    package let text: String
}

/// Adds lines to a log. Any thread. swift-log does the same and more, but needs a newer compiler than Debian's.
package struct Logger: Sendable {
    package enum Level: String, Comparable, CaseIterable, Sendable {
        case trace, debug, info, notice, warning, error, critical

        private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }

        package static func < (one: Level, other: Level) -> Bool { one.rank < other.rank }
    }

    /// Texts of lower levels are not evaluated.
    let level: Level
    private let add: @Sendable (LogLine) -> Void

    init(level: Level, adding add: @escaping @Sendable (LogLine) -> Void) {
        self.level = level
        self.add = add
    }

    func log(level: Level, _ text: @autoclosure () -> String) {
        if level >= self.level { add(LogLine(level: level, text: text())) }
    }

    func debug(_ text: @autoclosure () -> String) { log(level: .debug, text()) }
    func info(_ text: @autoclosure () -> String) { log(level: .info, text()) }
    func notice(_ text: @autoclosure () -> String) { log(level: .notice, text()) }
    func warning(_ text: @autoclosure () -> String) { log(level: .warning, text()) }
    func error(_ text: @autoclosure () -> String) { log(level: .error, text()) }
    func critical(_ text: @autoclosure () -> String) { log(level: .critical, text()) }
}

/// The form of a log line.
enum LogFormat: String, Sendable, CaseIterable {
    /// `2026-11-21T06:00:00.123Z notice: serving at http://127.0.0.1:8787`
    case text
    /// One object per line with `time`, `level` and `message`.
    case json
    /// `<5>serving at http://127.0.0.1:8787`, as sd-daemon(3) describes: the journal adds the time and the name.
    case journal

    /// `journal` if stderr is systemd's journal, else `text`.
    static var ofThisProcess: LogFormat {
        var file = stat()
        guard let stream = getenv("JOURNAL_STREAM"), fstat(STDERR_FILENO, &file) == 0 else { return .text }
        return String(cString: stream) == "\(file.st_dev):\(file.st_ino)" ? .journal : .text
    }

    /// - Parameters:
    ///   - message: Without control characters.
    ///   - time: The wall-clock time.
    func line(_ level: Logger.Level, _ message: String, at time: Timestamp) -> String {
        switch self {
        case .text: "\(time.rfc3339) \(level.rawValue): \(message)\n"
        case .journal: "<\(Self.priority(of: level))>\(message)\n"
        case .json:
            String(
                decoding: JSONWriter.object { json in
                    json.member("time", time)
                    json.member("level", level.rawValue)
                    json.member("message", message)
                },
                as: UTF8.self
            ) + "\n"
        }
    }

    /// The priority of syslog(3).
    private static func priority(of level: Logger.Level) -> Int {
        switch level {
        case .trace, .debug: 7
        case .info: 6
        case .notice: 5
        case .warning: 4
        case .error: 3
        case .critical: 2
        }
    }
}
