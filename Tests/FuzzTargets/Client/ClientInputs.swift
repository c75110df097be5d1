// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import HTTPClient
import Support

@testable import BrightnessClient

/// Fuzzes the client's parsers of server events, documents and command lines.
///
/// The first byte chooses the size of the pieces, 1 to 17 bytes, in which the others arrive.
enum ClientInputs {
    private static let plain = Style(isStyled: false)
    private static let now = Timestamp(milliseconds: 1_790_000_000_000)

    static func check(_ bytes: [UInt8]) throws {
        guard let first = bytes.first else { return }
        let input = Array(bytes.dropFirst())
        let events = read(input, by: max(input.count, 1))
        try require(read(input, by: 1 + Int(first) % 17) == events, "the events depend on how the bytes are split")
        let key = WebSocketKey(text: "dGhlIHNhbXBsZSBub25jZQ==")
        if key.isConfirmed(by: input) {
            try require(input.text.contains(key.confirmation), "another answer confirms the key")
        }
        for document in [input] + events.map({ Array($0.data.utf8) }) { try check(document: document) }
        try check(words: input)
    }

    private static func read(_ bytes: [UInt8], by step: Int) -> [ServerEvent] {
        var parser = ServerEventParser()
        return stride(from: 0, to: bytes.count, by: step).flatMap { start in
            parser.read(Array(bytes[start..<min(start + step, bytes.count)]))
        }
    }

    private static func check(document: [UInt8]) throws {
        guard let json = JSONDocument(parsing: document, upTo: .max)?.root else { return }
        let results = Results(json)
        try results.problems.forEach { try requireHarmless($0.problem.sentence) }
        try results.leases.forEach { try requireHarmless($0.lease.line(plain, at: now, limitedBy: $0.limits)) }
        for state in results.states {
            try requireHarmless(state.description(plain, at: now))
            try requireHarmless(state.line(plain), lines: 1)
            try requireHarmless(state.change(plain), lines: 1)
            try requireHarmless(DisplayState.table([state, state], plain), lines: 3)
        }
        if let problem = ProblemDocument(reading: json) { try requireHarmless(problem.sentence) }
        if let report = ScheduleReport(reading: json) {
            let offset = report.day.utcOffset
            for schedule in report.schedules {
                try requireHarmless(schedule.line(plain, at: now, utcOffset: offset), lines: 1)
            }
        }
        for change in DisplayChange.changes(in: json) ?? [] {
            try requireHarmless(change.line(plain, at: now), lines: 1)
        }
        guard let history = HistoryDocument(reading: json) else { return }
        try requireHarmless(history.description(plain), lines: 3)
    }

    /// Requires text without control characters, apart from its line ends, and with the given number of lines.
    private static func requireHarmless(_ text: String, lines: Int? = nil) throws {
        for scalar in text.unicodeScalars where scalar != "\n" {
            try require(
                scalar.properties.generalCategory != .control,
                "a control character in \(text.debugDescription)"
            )
        }
        guard let lines else { return }
        try require(text.split(separator: "\n", omittingEmptySubsequences: false).count == lines, "lines of \(text)")
    }

    private static func check(words bytes: [UInt8]) throws {
        let words = bytes.split(separator: 0x20).map { String(decoding: $0, as: UTF8.self) }
        if let normalized = try? Arguments(words).normalized() {
            let program = words.drop { $0 != "--" }
            try require(Array(normalized.suffix(program.count)) == Array(program), "\(words) became \(normalized)")
        }
        for word in words {
            _ = LevelArgument(word)?.action
            _ = LevelArgument.advice(on: word)
            _ = Weekday.list(word)
            if let time = ClockTime(word) {
                try require((0..<1_440).contains(time.minute), "minute \(time.minute) of a day")
            }
            if let span = Span(word) { try require(span.seconds > 0, "a time of \(span.seconds) s") }
            _ = try? DaemonAddress(options: .init(server: word), environment: .init(token: word))
        }
    }
}
