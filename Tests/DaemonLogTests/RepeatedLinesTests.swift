// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import Logging
import Synchronization
import Testing

@testable import DaemonLog

@Suite struct RepeatedLinesTests {
    private let start = Instant(sinceBoot: .seconds(1_000))
    private let line = RepeatedLines.Line(level: .warning, text: "it refuses")

    @Test func `a line is said five times, and the rest is counted until ten seconds are over`() {
        var lines = RepeatedLines()
        let said = (0..<100).filter { lines.say(line, at: start + .milliseconds(50 * $0)) }
        #expect(said == [0, 1, 2, 3, 4])
        #expect(lines.takeRemainders(at: start + .milliseconds(9_999)) == [])
        #expect(lines.takeRemainders(at: start + .seconds(10)) == [.init(line: line, count: 95)])
        #expect(lines.takeRemainders(at: start + .seconds(10)) == [])
        #expect(lines.say(line, at: start + .seconds(10)) == true)
    }

    @Test func `what is said now and then is never left out`() {
        var lines = RepeatedLines()
        for second in stride(from: 0, to: 600, by: 2) {
            #expect(lines.takeRemainders(at: start + .seconds(second)) == [])
            #expect(lines.say(line, at: start + .seconds(second)) == true)
        }
    }

    @Test func `lines are told apart by level and text`() {
        var lines = RepeatedLines()
        let others = [
            RepeatedLines.Line(level: .error, text: "it refuses"), .init(level: .warning, text: "it is gone"),
        ]
        for _ in 0..<9 { _ = lines.say(line, at: start) }
        let said = others.filter { lines.say($0, at: start) }
        #expect(said == others)
    }

    @Test func `at the end all is told, in the order in which it began`() {
        var lines = RepeatedLines()
        let other = RepeatedLines.Line(level: .error, text: "and so does this")
        for _ in 0..<7 { _ = lines.say(line, at: start) }
        for _ in 0..<6 { _ = lines.say(other, at: start + .seconds(1)) }
        #expect(lines.takeRemainders(at: nil) == [.init(line: line, count: 2), .init(line: other, count: 1)])
    }

    @Test func `more different lines than are told apart are all said`() {
        var lines = RepeatedLines()
        for number in 0..<RepeatedLines.limit { _ = lines.say(.init(level: .info, text: "\(number)"), at: start) }
        let said = (0..<99).count { _ in lines.say(line, at: start) }
        #expect(said == 99)
    }
}

@Suite struct DaemonLogTests {
    /// What was said, by a clock that stands still until it is moved on.
    private final class Paper: Sendable {
        private let said = Mutex<[String]>([])
        private let time = Mutex(Instant(sinceBoot: .seconds(1)))

        var lines: [String] { said.withLock { $0 } }
        var now: Instant { time.withLock { $0 } }

        func write(_ event: LogEvent) { said.withLock { $0.append("\(event.level): \(event.message)") } }

        func wait(_ duration: Duration) { time.withLock { $0 = $0 + duration } }
    }

    @Test func `a storm of one line is a few lines and a count, and others are heard in between`() {
        let paper = Paper()
        let log = DaemonLog(to: { paper.write($0) }, now: { paper.now })
        let logger = log.logger(level: .info)
        for _ in 0..<20 { logger.warning("it refuses") }
        logger.debug("nobody asked for this")
        logger.notice("and this is new")
        paper.wait(.seconds(10))
        logger.notice("later")
        for _ in 0..<6 { logger.warning("again") }
        log.flush()
        #expect(
            paper.lines
                == Array(repeating: "warning: it refuses", count: 5)
                + ["notice: and this is new", "warning: 15 times more: it refuses", "notice: later"]
                + Array(repeating: "warning: again", count: 5) + ["warning: 1 times more: again"]
        )
    }
}
