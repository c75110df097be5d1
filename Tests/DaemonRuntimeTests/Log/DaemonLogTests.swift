// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import Synchronization
import Testing

@testable import DaemonRuntime

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
