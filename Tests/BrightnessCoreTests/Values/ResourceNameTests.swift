// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import BrightnessCore

@Suite struct ResourceNameTests {
    @Test(arguments: [
        ["1", "2", "10"], ["Room 2", "Room 10", "Room 10a", "Room A"], ["a", "a1", "a1b", "a02", "b"],
        ["01", "1", "2"], ["day", "night"], ["Ärger", "Öl 3", "Öl 20"],
        ["9", "99999999999999999999998", "99999999999999999999999", "x"],
    ])
    func `names are sorted as people count`(sorted: [String]) throws {
        let names = try sorted.map { try #require(ResourceName($0)) }
        for (place, name) in names.enumerated() {
            for (other, second) in names.enumerated() { #expect((name < second) == (place < other)) }
        }
    }

    @Test(arguments: [
        "film", "Küche", "кухня", "厨房", "a b", "👨\u{200D}👩\u{200D}👧", "می\u{200C}خواهم", "क्‍ष", "é",
        "e\u{301}", "1", "☀️",
    ])
    func `a name with a visible character is one`(text: String) { #expect(ResourceName(text) != nil) }

    @Test(arguments: [
        "", " ", "\u{A0}", "\u{200B}", "\u{FEFF}", "\u{200D}", "\u{200C}\u{200C}", "\u{2060}", "\u{AD}", "a\u{200B}b",
        "film\u{FEFF}", "\u{202E}a", "a\u{2066}", "\u{3164}", "\u{115F}", "\u{FE0F}", "\u{2800}", "\u{E0061}",
        "a\u{E0061}", "\u{61C}a", "\u{301}",
    ])
    func `a name that people cannot see is none`(text: String) { #expect(ResourceName(text) == nil) }
}
