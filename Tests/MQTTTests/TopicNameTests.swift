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
            // Swift joins this slash with the preceding or following scalar to one character.
            ("x\u{600}/a", "x\u{600}", ["a"]),
            ("b/\u{301}a/c", "b", ["\u{301}a", "c"]),
            // Equal texts in Swift, but different topics for a broker.
            ("\u{E9}/a", "e\u{301}", nil),
        ] as [(String, String, [String]?)]
    )
    func `levels are the bytes between slashes`(topic: String, prefix: String, levels: [String]?) {
        #expect(TopicName.levels(of: topic, under: prefix)?.map { String($0) } == levels)
    }
}
