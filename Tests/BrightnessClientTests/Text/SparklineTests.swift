// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import Testing

@testable import BrightnessClient

@Suite struct SparklineTests {
    @Test(
        arguments: [
            ([], ""), ([0, 1], "▁█"), ([0, 1 / 7.0, 2 / 7.0, 3 / 7.0, 4 / 7.0, 5 / 7.0, 6 / 7.0, 1], "▁▂▃▄▅▆▇█"),
            ([0.5, nil, 0.5], "▅ ▅"), ([-1, 2, .nan], "▁█ "),
        ] as [([Double?], String)]
    )
    func `a value is a block and an unknown one a space`(values: [Double?], text: String) {
        #expect(Sparkline.text(values) == text)
    }

    @Test func `a history shows its limits`() throws {
        let start = Timestamp(milliseconds: 1_790_000_000_000)
        let end = start + .seconds(4)
        var history = History()
        history.points = [nil, 0.4, 1].map { fraction in
            let brightness = fraction.map { Brightness(clamping: $0) }
            return History.Point(at: start, brightness: brightness, baseline: nil, isOn: true, illuminance: nil)
        }
        // A lower one was between two points.
        history.extent = Brightness(clamping: 0.1)...Brightness.full
        let query = try HistoryQuery(try #require(DisplayID("DP-2")), from: start, to: end, step: 2)
        let expected = """
            DP-2  \(start.clock) to \(end.clock), a column for 2 s
             ▄█
            lowest 10 %, highest 100 %, 100 % at the end
            """
        #expect(HistoryDocument(query, history).description(Style(isStyled: false)) == expected)
    }
}
