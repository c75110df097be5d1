// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import BrightnessCore
@testable import DaemonRuntime

@Suite struct RepeatedLinesTests {
    private let start = Instant(sinceBoot: .seconds(1_000))
    private let line = LogLine(level: .warning, text: "it refuses")

    @Test func `a line is written five times, and its repetitions are counted for ten seconds`() {
        var lines = RepeatedLines<LogLine>(window: .seconds(10))
        let said = (0..<100).filter { lines.count(line, at: start + .milliseconds(50 * $0)) }
        #expect(said == [0, 1, 2, 3, 4])
        #expect(lines.takeRemainders(at: start + .milliseconds(9_999)) == [])
        #expect(lines.takeRemainders(at: start + .seconds(10)) == [.init(line: line, count: 95)])
        #expect(lines.takeRemainders(at: start + .seconds(10)) == [])
        #expect(lines.count(line, at: start + .seconds(10)) == true)
    }

    @Test func `a line that is rarely repeated is always written`() {
        var lines = RepeatedLines<LogLine>(window: .seconds(10))
        for second in stride(from: 0, to: 600, by: 2) {
            #expect(lines.takeRemainders(at: start + .seconds(second)) == [])
            #expect(lines.count(line, at: start + .seconds(second)) == true)
        }
    }

    @Test func `lines are distinguished by level and text`() {
        var lines = RepeatedLines<LogLine>(window: .seconds(10))
        let others = [
            LogLine(level: .error, text: "it refuses"), .init(level: .warning, text: "it is gone"),
        ]
        for _ in 0..<9 { _ = lines.count(line, at: start) }
        let said = others.filter { lines.count($0, at: start) }
        #expect(said == others)
    }

    @Test func `a flush reports all remainders in the order of their lines`() {
        var lines = RepeatedLines<LogLine>(window: .seconds(10))
        let other = LogLine(level: .error, text: "and so does this")
        for _ in 0..<7 { _ = lines.count(line, at: start) }
        for _ in 0..<6 { _ = lines.count(other, at: start + .seconds(1)) }
        #expect(lines.takeRemainders(at: nil) == [.init(line: line, count: 2), .init(line: other, count: 1)])
    }

    @Test func `of 20,000 different lines within ten seconds 256 are written, and the others are counted`() {
        var lines = RepeatedLines<LogLine>(window: .seconds(10))
        let said = (0..<20_000).count { lines.count(.init(level: .warning, text: "\($0)"), at: start) }
        #expect(said == RepeatedLines<LogLine>.limit)
        #expect(lines.hasRemainder)
        #expect(lines.takeRemainders(at: start + .seconds(9)) == [])
        #expect(lines.takeRemainders(at: start + .seconds(10)) == [.init(line: nil, count: 20_000 - said)])
        #expect(!lines.hasRemainder)
        #expect(lines.count(line, at: start + .seconds(10)) == true)
    }

    @Test func `an error is written, however many other lines there are`() {
        var lines = RepeatedLines<LogLine>(window: .seconds(10))
        for number in 0..<1_000 { _ = lines.count(.init(level: .info, text: "\(number)"), at: start) }
        let error = LogLine(level: .error, text: "the disk is full")
        #expect((0..<9).count { _ in lines.count(error, isUrgent: true, at: start) } == 9)
    }
}
