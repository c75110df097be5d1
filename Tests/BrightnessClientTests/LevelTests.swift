// SPDX-License-Identifier: Apache-2.0
import BrightnessClient
import Testing

@Suite struct LevelTests {
    @Test(
        arguments: [
            ("40%", .percent(40)), ("0%", .percent(0)), ("100%", .percent(100)), ("12.5%", .percent(12.5)),
            ("0.4", .fraction(0.4)), (".4", .fraction(0.4)), ("1.0", .fraction(1)),
            ("raw:480", .raw(480)), ("raw:0", .raw(0)),
            ("+5%", .delta(0.05)), ("5%+", .delta(0.05)), ("-5%", .delta(-0.05)), ("5%-", .delta(-0.05)),
            ("-0.1", .delta(-0.1)), ("0.1-", .delta(-0.1)), ("+0.1", .delta(0.1)),
        ] as [(String, Level)]
    )
    func `a level is a percentage, a fraction, a raw step or a signed change`(text: String, level: Level) {
        #expect(Level(text) == level)
    }

    // A number without a point or unit is refused: brightnessctl reads it as a step, the API as a fraction.
    @Test(
        arguments: [
            "", "%", "+", "-", ".", "+%", "1", "0", "50", "+5", "101%", "1.1", "-101%", "--5%", "+-5%", "-5%-", "5 %",
            "nan%", "inf",
            "1e1%", "0x1p-1", "raw:", "raw:-1", "raw:1.5", "raw:99999999999999999999", "٤٠%", "40%%", "0.4.1", "on",
        ]
    )
    func `a text that is not a level is refused`(text: String) {
        #expect(Level(text) == nil)
    }

    @Test func `a level determines the HTTP method and the member of the body`() {
        #expect(
            Target.preferred.set(.percent(40)) == ClientRequest("PUT", "/v1/brightness", [("percent", .number(40))])
        )
        #expect(Target.preferred.set(.percent(40)).body == #"{"percent":40}"#)
        #expect(Target.all.set(.raw(480)).body == #"{"raw":480}"#)
        #expect(Target.display("DP-2").set(.delta(-0.05)).method == "PATCH")
        #expect(Target.display("DP-2").set(.delta(-0.05)).body == #"{"delta":-0.05}"#)
        #expect(Target.display("DP-2").set(.fraction(0.4)).path == "/v1/displays/DP-2/brightness")
    }

    @Test(
        arguments: [
            ("90", 90), ("90s", 90), ("0.5", 0.5), ("30m", 1_800), ("1h", 3_600), ("1.5h", 5_400), ("2d", 172_800),
            ("1w", 604_800),
        ] as [(String, Double)]
    )
    func `a span is in seconds unless it has a unit`(text: String, seconds: Double) {
        #expect(Span(text)?.seconds == seconds)
    }

    @Test(arguments: [
        "", "s", "0", "-1", "1y", "1 h", "nan", "inf", "1e3", "1:30", "h1", "5300w", "99999999999999999999d",
    ])
    func `a span that is not positive, is too long or has an unknown unit is refused`(text: String) {
        #expect(Span(text) == nil)
    }

    @Test(arguments: ["0", "0s", "0.0", "0m"])
    func `a span may be nothing only where that is allowed`(text: String) {
        #expect(Span(text) == nil)
        #expect(Span(text, orZero: true)?.seconds == 0)
    }

    @Test(arguments: [(nil, nil), ("all", ["all"]), ("DP-2", ["DP-2"])] as [(String?, [String]?)])
    func `a schedule is for the displays of the target`(display: String?, displays: [String]?) throws {
        #expect(try Target(display).scheduleDisplays == displays)
    }

    @Test func `a schedule is not for a group`() {
        let sentence = "A schedule cannot be for a group: name a display of lobby with --display, or all."
        #expect(throws: ClientError.usage(sentence)) { try Target("group:lobby").scheduleDisplays }
    }

    @Test(
        arguments: [(60, "1 min"), (90, "90 s"), (3_600, "1 h"), (172_800, "2 d"), (1.5, "1.5 s")] as [(Double, String)]
    )
    func `a span is shown in the longest unit with a whole number, else in seconds`(seconds: Double, text: String) {
        #expect(Span(seconds: seconds).text == text)
    }
}
