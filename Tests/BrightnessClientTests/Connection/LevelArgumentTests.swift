// SPDX-License-Identifier: Apache-2.0
import BrightnessClient
import BrightnessCore
import Testing

extension LevelArgument {
    fileprivate static func fraction(_ fraction: Double) -> LevelArgument {
        .absolute(.fraction(Brightness(clamping: fraction)))
    }

    fileprivate static func percent(_ percent: Double) -> LevelArgument { .fraction(percent / 100) }
    fileprivate static func raw(_ step: Int) -> LevelArgument { .absolute(.step(step)) }
}

@Suite struct LevelArgumentTests {
    @Test(
        arguments: [
            ("40%", .percent(40)), ("0%", .percent(0)), ("100%", .percent(100)), ("12.5%", .percent(12.5)),
            ("0.4", .fraction(0.4)), (".4", .fraction(0.4)), ("1.0", .fraction(1)),
            ("40", .percent(40)), ("0", .percent(0)), ("1", .percent(1)), ("=50", .percent(50)), ("+5", .delta(0.05)),
            ("5-", .delta(-0.05)), ("raw:480", .raw(480)), ("raw:0", .raw(0)),
            ("+5%", .delta(0.05)), ("5%+", .delta(0.05)), ("-5%", .delta(-0.05)), ("5%-", .delta(-0.05)),
            ("max", .percent(100)), ("min", .percent(0)), ("=50%", .percent(50)),
            ("-0.1", .delta(-0.1)), ("0.1-", .delta(-0.1)), ("+0.1", .delta(0.1)),
        ] as [(String, LevelArgument)]
    )
    func `a level is a percentage, a fraction, a raw step or a signed change`(text: String, level: LevelArgument) {
        #expect(LevelArgument(text) == level)
    }

    @Test(
        arguments: [
            "", "%", "+", "-", ".", "+%", "101", "+101", "101%", "1.1", "-101%", "--5%", "+-5%", "-5%-", "5 %",
            "nan%", "inf",
            "1e1%", "0x1p-1", "raw:", "raw:-1", "raw:1.5", "raw:99999999999999999999", "٤٠%", "40%%", "0.4.1", "on",
        ]
    )
    func `a text that is not a level is refused`(text: String) {
        #expect(LevelArgument(text) == nil)
    }

    @Test(
        arguments: [
            ("+1.5", #""+1.5" has no unit: write +1.5%."#),
            ("+150", #""+150" is too much: a brightness is at most 100%."#),
            ("12.5", #""12.5" has no unit: write 12.5%."#),
            ("150%", #""150%" is too much: a brightness is at most 100%."#),
            ("480", #""480" is too much: a brightness is at most 100%, or write raw:480 for a step of the display."#),
            ("bright", #""bright" is not a brightness: write 40%, 0.4, +5%, -5% or raw:480."#),
        ]
    )
    func `a text that is not a level is answered with the right form`(text: String, sentence: String) {
        #expect(LevelArgument.advice(on: text) == sentence)
    }

    @Test func `a level determines the HTTP method and the member of the body`() {
        let set = Target.defaultDisplay.request(Command(LevelArgument.percent(40).action))
        #expect((set.method, set.path) == ("PUT", "/v1/brightness"))
        #expect(set.body == #"{"brightness":0.4,"holder":null,"reason":null}"#)
        #expect(Target.all.request(Command(LevelArgument.raw(480).action)).body?.hasPrefix(#"{"raw":480,"#) == true)
        let step = Target.display("DP-2").request(Command(LevelArgument.delta(-0.05).action, reason: "qr"))
        #expect((step.method, step.path) == ("PATCH", "/v1/displays/DP-2/brightness"))
        #expect(step.body == #"{"delta":-0.05,"holder":null,"reason":"qr"}"#)
    }

    @Test(arguments: [
        (Command(.grant(LeaseRequest(.dim))), "POST", "/v1/dim"), (Command(.setPower(true)), "PUT", "/v1/power"),
        (Command(.setAutomatic(true)), "PUT", "/v1/auto"), (Command(.restoreAll()), "POST", "/v1/restore"),
    ])
    func `a command has the method and the path of its resource`(command: Command, method: String, path: String) {
        let request = Target.defaultDisplay.request(command)
        #expect((request.method, request.path) == (method, path))
    }

    @Test(
        arguments: [
            ("90", 90), ("90s", 90), ("0.5", 0.5), ("30m", 1_800), ("1h", 3_600), ("1.5h", 5_400), ("2d", 172_800),
            ("1w", 604_800), ("1h30m", 5_400), ("10min", 600), ("2hours", 7_200),
        ] as [(String, Double)]
    )
    func `a span is in seconds unless it has a unit`(text: String, seconds: Double) {
        #expect(Span(text)?.seconds == seconds)
    }

    @Test(arguments: [
        "", "s", "0", "-1", "1y", "1 h", "nan", "inf", "1e3", "1:30", "h1", "1h30", "90%", "m", "5300w",
        "99999999999999999999d",
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
        let group = "lobby"
        let sentence: String =
            "A schedule cannot be for a group: name a display of \(group) with --display, or all."
        #expect(throws: ClientError.usage(sentence)) { try Target("group:lobby").scheduleDisplays }
    }

    @Test(
        arguments: [(60, "1 min"), (90, "90 s"), (3_600, "1 h"), (172_800, "2 d"), (1.5, "1.5 s")] as [(Double, String)]
    )
    func `a span is shown in the longest unit with a whole number, else in seconds`(seconds: Double, text: String) {
        #expect(Span(seconds: seconds).text == text)
    }

    @Test(
        arguments: [
            ("07:00", "07:00"), ("7:00", "07:00"), ("7am", "07:00"), ("10pm", "22:00"), ("10:30pm", "22:30"),
            ("12am", "00:00"), ("12pm", "12:00"), ("23:59", "23:59"), ("noon", "12:00"), ("midnight", "00:00"),
            ("7", nil), ("24:00", nil), ("13pm", nil), ("0am", nil), ("7:5", nil), ("7:60", nil), ("sunset", nil),
            ("", nil), ("am", nil), (":", nil), ("7:00:00", nil), ("٧:٠٠", nil),
        ] as [(String, String?)]
    )
    func `a time of the day has a colon, am or pm`(text: String, clock: String?) {
        #expect(ClockTime(text)?.text == clock)
    }

    @Test(arguments: ["00:00", "07:00", "12:34", "23:59"])
    func `the time until the clock shows a time is at most a day`(text: String) throws {
        let now = Timestamp(milliseconds: 1_790_000_000_500)
        let span = try #require(ClockTime(text)).span(from: now)
        #expect(span.seconds > 0 && span.seconds <= 86_400)
        #expect((now + .seconds(span.seconds)).clock == "\(text):00")
    }

    @Test(
        arguments: [
            ("mon,tue", "mon,tue"), ("weekdays", "mon,tue,wed,thu,fri"), ("mon-fri", "mon,tue,wed,thu,fri"),
            ("sat-sun", "sat,sun"), ("fri-mon", "mon,fri,sat,sun"), ("weekend,monday", "mon,sat,sun"),
            ("Thurs", "thu"), ("daily", "mon,tue,wed,thu,fri,sat,sun"), ("mo", nil), ("mon-", nil), ("", nil),
            ("mon,,tue", nil),
            ("mon-tue-wed", nil), ("mons", nil),
        ] as [(String, String?)]
    )
    func `days are a list of days, ranges and groups`(text: String, days: String?) {
        #expect(Weekday.list(text)?.map(\.rawValue).joined(separator: ",") == days)
    }
}
