// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import HTTPServer

@Suite struct EventStreamFormatTests {
    static func event(id: String?, _ data: String) -> Event {
        Event(key: "k", name: "brightness", subject: "s", id: id, order: 1, data: Array(data.utf8))
    }

    @Test(arguments: [
        (event(id: "7f3a-12", "{}"), 0, "event: brightness\nid: 7f3a-12\ndata: {}\n\n"),
        (event(id: nil, "{\"a\":1}"), 0, "event: brightness\ndata: {\"a\":1}\n\n"),
        (event(id: "e-2", "{\"a\":1}"), 9, "event: brightness\nid: e-2\ndata: {\"a\":1,\"skipped\":9}\n\n"),
    ])
    func `an event is encoded as these bytes`(event: Event, skipped: Int, wire: String) {
        #expect(String(decoding: StreamFormats.json.encode(event, as: .plain, skipped: skipped), as: UTF8.self) == wire)
    }
}
