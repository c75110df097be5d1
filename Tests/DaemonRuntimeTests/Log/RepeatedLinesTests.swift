// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import Synchronization
import Testing

@testable import DaemonRuntime

@Suite struct RepeatedLinesTests {
    private let start = Instant(sinceBoot: .seconds(1_000))
    private let line = LogLine(level: .warning, text: "it refuses")

    @Test func `a line is written five times, and its repetitions are counted for ten seconds`() {
        var lines = RepeatedLines()
        let said = (0..<100).filter { lines.count(line, at: start + .milliseconds(50 * $0)) }
        #expect(said == [0, 1, 2, 3, 4])
        #expect(lines.takeRemainders(at: start + .milliseconds(9_999)) == [])
        #expect(lines.takeRemainders(at: start + .seconds(10)) == [.init(line: line, count: 95)])
        #expect(lines.takeRemainders(at: start + .seconds(10)) == [])
        #expect(lines.count(line, at: start + .seconds(10)) == true)
    }

    @Test func `a line that is rarely repeated is always written`() {
        var lines = RepeatedLines()
        for second in stride(from: 0, to: 600, by: 2) {
            #expect(lines.takeRemainders(at: start + .seconds(second)) == [])
            #expect(lines.count(line, at: start + .seconds(second)) == true)
        }
    }

    @Test func `lines are distinguished by level and text`() {
        var lines = RepeatedLines()
        let others = [
            LogLine(level: .error, text: "it refuses"), .init(level: .warning, text: "it is gone"),
        ]
        for _ in 0..<9 { _ = lines.count(line, at: start) }
        let said = others.filter { lines.count($0, at: start) }
        #expect(said == others)
    }

    @Test func `a flush reports all remainders in the order of their lines`() {
        var lines = RepeatedLines()
        let other = LogLine(level: .error, text: "and so does this")
        for _ in 0..<7 { _ = lines.count(line, at: start) }
        for _ in 0..<6 { _ = lines.count(other, at: start + .seconds(1)) }
        #expect(lines.takeRemainders(at: nil) == [.init(line: line, count: 2), .init(line: other, count: 1)])
    }

    @Test func `of 20,000 different lines within ten seconds 256 are written, and the others are counted`() {
        var lines = RepeatedLines()
        let said = (0..<20_000).count { lines.count(.init(level: .warning, text: "\($0)"), at: start) }
        #expect(said == RepeatedLines.limit)
        #expect(lines.hasRemainder)
        #expect(lines.takeRemainders(at: start + .seconds(9)) == [])
        #expect(lines.takeRemainders(at: start + .seconds(10)) == [.init(line: nil, count: 20_000 - said)])
        #expect(!lines.hasRemainder)
        #expect(lines.count(line, at: start + .seconds(10)) == true)
    }

    @Test func `an error is written, however many other lines there are`() {
        var lines = RepeatedLines()
        for number in 0..<1_000 { _ = lines.count(.init(level: .info, text: "\(number)"), at: start) }
        let error = LogLine(level: .error, text: "the disk is full")
        #expect((0..<9).count { _ in lines.count(error, at: start) } == 9)
    }
}

@Suite struct DaemonLogTests {
    /// The written lines, by a clock that stands still until it is advanced.
    private final class Paper: Sendable {
        private let said = Mutex<[String]>([])
        private let time = Mutex(Instant(sinceBoot: .seconds(1)))

        var lines: [String] { said.withLock { $0 } }
        var now: Instant { time.withLock { $0 } }

        func write(_ line: LogLine) { said.withLock { $0.append("\(line.level): \(line.text)") } }

        func wait(_ duration: Duration) { time.withLock { $0 = $0 + duration } }
    }

    @Test func `a line has no control characters and at most 2,000 characters`() {
        let paper = Paper()
        let log = DaemonLog(to: { paper.write($0) }, now: { paper.now })
        let logger = log.logger(level: .info)
        logger.notice("a\nb\u{1B}[2J\u{9B}2J \u{202E}dc\u{2067}é")
        logger.notice("\(String(repeating: "x", count: 9_999))")
        #expect(paper.lines.first == #"notice: a\u{a}b\u{1b}[2J\u{9b}2J \u{202e}dc\u{2067}é"#)
        #expect(paper.lines.last == "notice: \(String(repeating: "x", count: DaemonLog.longestLine))…")
    }

    @Test func `a thousand repetitions are a few lines and a count, and other lines are written in between`() {
        let paper = Paper()
        let log = DaemonLog(to: { paper.write($0) }, now: { paper.now })
        let logger = log.logger(level: .info)
        for _ in 0..<20 { logger.warning("it refuses") }
        logger.debug("below the level")
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
