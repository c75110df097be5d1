// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import Support
import Testing

@Suite struct DisplayGroupsTests {
    @Test(arguments: [
        ("*", "", true), ("*", "hall:DP-1", true), ("hall:*", "hall:DP-1", true), ("hall:*", "hal", false),
        ("hall:*", "lobby:DP-1", false), ("DP-1", "DP-1", true), ("DP-1", "DP-12", false), ("*-1", "hall:DP-1-1", true),
        ("a*b*c", "abcbc", true), ("a*b*c", "acb", false), ("a**c", "ac", true), ("*a*", "bcd", false),
        ("ab*ba", "aba", false), ("ab*ba", "abba", true), ("*ab*ab*", "abab", true), ("*ab*ab*", "aab", false),
        ("", "", true), ("", "a", false), ("**", "", true), ("*é*", "caf\u{E9}s", true), ("*bc*c", "abc", false),
    ])
    func `a star stands for any characters`(pattern: String, text: String, matches: Bool) {
        #expect(Glob(pattern).matches(text) == matches)
    }

    @Test(arguments: [
        "hall:*", "*", "DP-1", "tag:floor1", "tag:floor.1-a_b", "t*g:DP-1",
    ])
    func `a pattern is an id with stars, or a tag`(text: String) {
        #expect(DisplayPattern(text)?.text == text)
    }

    @Test(arguments: [
        "", "all", "tag:", "tag:a*", "group:lobby", "a b", "a/b", "a,b", String(repeating: "a", count: 65),
        "tag:" + String(repeating: "a", count: 33),
    ])
    func `text that matches nothing is not a pattern`(text: String) {
        #expect(DisplayPattern(text) == nil)
    }

    @Test(arguments: ["lobby", "lobby=", "=hall:*", "lobby=hall:*,", "lo bby=*", "lobby=all", "..=*"])
    func `a group has a name and patterns`(text: String) throws {
        #expect(DisplayGroup(text) == nil)
        let group = try #require(DisplayGroup("lobby=hall:*,tag:kiosk"))
        #expect(group.name.text == "lobby")
        #expect(group.selector.description == "hall:*, tag:kiosk")
    }

    @Test func `a group has at most 64 patterns, and a daemon at most 256 groups of different names`() throws {
        let most = "a=" + Array(repeating: "*", count: 64).joined(separator: ",")
        #expect(DisplayGroup(most) != nil)
        #expect(DisplayGroup(most + ",*") == nil)
        let groups = try (0..<256).map { try #require(DisplayGroup("g\($0)=*")) }
        #expect(try DisplayGroups(groups).all.count == 256)
        #expect(throws: DisplayGroups.Failure.tooMany) { try DisplayGroups(groups + groups) }
        #expect(throws: DisplayGroups.Failure.twice(groups[0].name)) { try DisplayGroups([groups[0], groups[0]]) }
    }
}
