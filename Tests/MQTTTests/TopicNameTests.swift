// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import MQTT

@Suite struct TopicNameTests {
    @Test(
        arguments: [
            ("b/a/c", "b", ["a", "c"]),
            ("b/", "b", [""]),
            ("b", "b", nil),
            ("bb/a", "b", nil),
            ("site/b//a", "site/b", ["", "a"]),
            // To Swift this slash is one character with what stands before, or behind it.
            ("x\u{600}/a", "x\u{600}", ["a"]),
            ("b/\u{301}a/c", "b", ["\u{301}a", "c"]),
            // The same text to Swift, and another topic to a broker.
            ("\u{E9}/a", "e\u{301}", nil),
        ] as [(String, String, [String]?)]
    )
    func `levels are what stands between slashes, whatever is in them`(topic: String, prefix: String, levels: [String]?)
    {
        #expect(TopicName.levels(of: topic, under: prefix)?.map { String($0) } == levels)
    }
}
