// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import MQTT

@Suite struct NodeNameTests {
    @Test(arguments: ["lobby", "Lobby_2-north-east", String(repeating: "n", count: 32)])
    func `the text is a valid node name`(text: String) {
        #expect(NodeName(text)?.text == text)
    }

    @Test(arguments: ["", "all", "a b", "a/b", "a.b", "+", "#", "ä", String(repeating: "n", count: 33)])
    func `the text is not a valid node name`(text: String) {
        #expect(NodeName(text) == nil)
    }

    @Test(arguments: [
        ("kiosk-3", "kiosk-3"), ("kiosk-3.example.org", "kiosk-3"), ("büro 7", "bro7"), ("", "brightnessd"),
        ("all", "brightnessd"),
    ])
    func `the default node name is derived from the machine's name`(machine: String, node: String) {
        #expect(NodeName(ofMachine: machine).text == node)
    }
}
