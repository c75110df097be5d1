// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import Testing

@Suite(.timeLimit(.minutes(1)))
struct DisplayIDTests {
    @Test(arguments: [
        "intel_backlight", "eDP-1", "0", "a.b", "input3::capslock", "ALL", "all2", "...",
        String(repeating: "x", count: 64),
    ])
    func `takes one path segment`(text: String) throws {
        let id = try #require(DisplayID(text))
        #expect(id.text == text)
        #expect("\(id)" == text)
    }

    @Test(arguments: [
        "", "all", ".", "..", "a/b", "a b", "a%20b", "a?b", "a#b", "a\\b", "a+b", "a\n", "\0", "ä", "е", "🖥",
        String(repeating: "x", count: 65),
    ])
    func `refuses what is not one path segment, and the word for every display`(text: String) {
        #expect(DisplayID(text) == nil)
    }
}
