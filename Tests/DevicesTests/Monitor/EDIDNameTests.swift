// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import DDCWire
import Testing

@Suite struct EDIDNameTests {
    @Test(arguments: [
        ("DEL", "U2720Q", "ABC 1", "DEL-U2720Q-ABC_1"),
        ("DEL", "", "", "DEL-2A"),
        ("", ".", "", "monitor-."),
        ("", "all", "", "monitor-all"),
        ("", "status", "", "monitor-status"),
        ("", "..", "", "monitor-.."),
    ])
    func `the id of a monitor is a valid display id`(maker: String, model: String, serial: String, id: String) {
        #expect(EDIDName.id(maker: maker, model: model, product: 42, serial: serial, edid: []) == id)
        #expect(DisplayID(id)?.text == id)
    }

    @Test(arguments: [
        (["X", "Y"], ["X", "Y"]), (["X", "X", "X"], ["X", "X-2", "X-3"]),
        // The third one has the serial 2.
        (["X", "X", "X-2"], ["X", "X-3", "X-2"]), (["X-2", "X", "X", "X"], ["X-2", "X", "X-3", "X-4"]),
        (["X", "X", "X-2", "X-2"], ["X", "X-3", "X-2", "X-2-2"]),
    ])
    func `equal ids are numbered, and no two end up with one id`(ids: [String], numbered: [String]) {
        #expect(EDIDName.distinct(ids.map { ($0, nil) }) == numbered)
    }

    @Test func `of equal monitors, all but the first are named by their connectors`() {
        #expect(EDIDName.distinct([("X", "HDMI-A-1"), ("X", "DP-1"), ("Y", "DP-2")]) == ["X-HDMI-A-1", "X", "Y"])
        #expect(EDIDName.distinct([("X", nil), ("X", "DP-2"), ("X", nil)]) == ["X-2", "X", "X-3"])
        // Two cards with connectors of one name.
        #expect(EDIDName.distinct([("X", "DP-1"), ("X", "DP-1"), ("X", "DP-1")]) == ["X", "X-DP-1", "X-2"])
    }

    @Test func `a monitor keeps the id of its connector while the others are away`() {
        let known = ["X": "", "X-DP-2": ""]
        #expect(EDIDName.distinct([("X", "DP-2")], known: known) == ["X-DP-2"])
        #expect(EDIDName.distinct([("X", "DP-1")], known: known) == ["X"])
        // Plugged into another connector, it is the first one for all that can be known.
        #expect(EDIDName.distinct([("X", "DP-3")], known: known) == ["X"])
        #expect(EDIDName.distinct([("X", "DP-2"), ("X", "DP-0")], known: known) == ["X-DP-2", "X"])
        #expect(EDIDName.distinct([("X", "DP-2"), ("X-DP-2", "DP-1")], known: known) == ["X", "X-DP-2"])
    }

    @Test func `a known id stays at its connector when an equal monitor comes`() {
        let pair = [("X", "DP-5"), ("X", "DP-6")]
        #expect(EDIDName.distinct(pair, known: ["X": "DP-6"]) == ["X-DP-5", "X"])
        #expect(EDIDName.distinct(pair, known: ["X": "DP-6", "X-DP-5": "DP-5"]) == ["X-DP-5", "X"])
        #expect(EDIDName.distinct([("X", "DP-5")], known: ["X": "DP-6", "X-DP-5": "DP-5"]) == ["X-DP-5"])
        // It has moved, or does not answer at its connector.
        #expect(EDIDName.distinct([("X", "DP-5")], known: ["X": "DP-6"]) == ["X"])
        #expect(EDIDName.distinct([("X", "DP-5")], known: ["X": "DP-6"], reserved: ["X"]) == ["X-DP-5"])
        #expect(EDIDName.distinct([("X", nil)], known: ["X": "DP-6"], reserved: ["X"]) == ["X-2"])
    }
}
