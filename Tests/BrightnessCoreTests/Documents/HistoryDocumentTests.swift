// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import BrightnessCore

@Suite struct HistoryDocumentTests {
    @Test func `a history is written and read with its points and leases`() throws {
        let start = History.testStart
        let query = try HistoryQuery(DisplayID("simulated")!, from: start, to: start + .seconds(60), step: 60)
        var history = History.twoPoints
        history.leases = [
            LeaseInterval(
                kind: .boost,
                holder: "kiosk-3",
                reason: "qr",
                brightness: .full,
                from: start,
                to: start + .seconds(1),
                end: .expired
            ),
            LeaseInterval(kind: .boost, holder: nil, reason: nil, brightness: .full, from: start),
            LeaseInterval(kind: .sleep, holder: "night", reason: nil, from: start),
        ]
        let expected = """
            {"display":"simulated","from":"2026-11-21T06:00:00.000Z","to":"2026-11-21T06:01:00.000Z","step":60,\
            "points":[{"at":"2026-11-21T06:00:00.000Z","brightness":null,"baseline":null,"on":null,"illuminance":null},\
            {"at":"2026-11-21T06:01:00.000Z","brightness":1,"baseline":0.42,"on":true,"illuminance":320}],\
            "lowest":0.2,"highest":1,\
            "leases":[{"kind":"boost","holder":"kiosk-3","reason":"qr","brightness":1,\
            "from":"2026-11-21T06:00:00.000Z","to":"2026-11-21T06:00:01.000Z","end":"expired"},\
            {"kind":"boost","holder":null,"reason":null,"brightness":1,"from":"2026-11-21T06:00:00.000Z",\
            "to":null,"end":null},\
            {"kind":"sleep","holder":"night","reason":null,"from":"2026-11-21T06:00:00.000Z","to":null,"end":null}],\
            "truncated":false}
            """
        let document = HistoryDocument(query, history)
        #expect(String(decoding: document.json, as: UTF8.self) == expected)
        let read = try #require(JSONDocument(parsing: document.json).flatMap { HistoryDocument(reading: $0.root) })
        #expect(read.query == query)
        #expect(read.history == history)
    }

    @Test func `changes are written and read with the state before and after each`() throws {
        let start = History.testStart
        let before = DisplayChange.Shown(
            brightness: Brightness(clamping: 0.4),
            baseline: Brightness(clamping: 0.4),
            isOn: false,
            isAvailable: true
        )
        let changes = [
            DisplayChange(
                DisplayID("left")!,
                .init(brightness: .full, baseline: before.baseline, isOn: true, isAvailable: true),
                before: before,
                lease: .init(.boost, hasEnded: false),
                cause: Cause(.boost, by: "kiosk-3", principal: Principal("kiosk"), reason: "qr", at: start)
            ),
            DisplayChange(DisplayID("right")!, before, before: nil, cause: Cause(.api, at: start)),
        ]
        let expected = """
            {"changes":[{"display":"left","brightness":1,"baseline":0.4,"on":true,"available":true,\
            "before":{"brightness":0.4,"baseline":0.4,"on":false,"available":true},\
            "lease":{"kind":"boost","ended":false},\
            "cause":{"kind":"boost","by":"kiosk-3","principal":"kiosk","reason":"qr",\
            "at":"2026-11-21T06:00:00.000Z"}},\
            {"display":"right","brightness":0.4,"baseline":0.4,"on":false,"available":true,"before":null,\
            "lease":null,"cause":{"kind":"api","by":null,"principal":null,"reason":null,\
            "at":"2026-11-21T06:00:00.000Z"}}]}
            """
        let json = DisplayChange.list(changes)
        #expect(String(decoding: json, as: UTF8.self) == expected)
        #expect(JSONDocument(parsing: json).flatMap { DisplayChange.changes(in: $0.root) } == changes)
    }
}
