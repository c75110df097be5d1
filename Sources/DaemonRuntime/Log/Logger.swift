// SPDX-License-Identifier: Apache-2.0

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
