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
        #expect(EDIDName.numbered(ids) == numbered)
    }
}
