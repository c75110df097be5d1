// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import BrightnessCore

@Suite struct HistoryCSVTests {
    @Test func `a history is a table of points and leases in the order of time`() throws {
        let start = History.testStart
        let query = try HistoryQuery(DisplayID("-panel")!, from: start, to: start + .seconds(60), step: 60)
        var history = History.twoPoints
        history.leases = [
            LeaseInterval(
                kind: .boost,
                holder: "=cmd|' /C calc'!A0",
                reason: "a \"quoted\", long\nreason",
                brightness: .full,
                from: start + .seconds(1),
                to: start + .seconds(2),
                end: .expired
            )
        ]
        let rows = [
            "record,display,at,brightness,baseline,on,illuminance,kind,by,reason,to,end",
            "point,\"'-panel\",2026-11-21T06:00:00.000Z,,,,,,,,,",
            "lease,\"'-panel\",2026-11-21T06:00:01.000Z,1,,,,boost,\"'=cmd|' /C calc'!A0\","
                + "\"a \"\"quoted\"\", long\nreason\",2026-11-21T06:00:02.000Z,expired",
            "point,\"'-panel\",2026-11-21T06:01:00.000Z,1,0.42,true,320,,,,,",
        ]
        #expect(
            String(decoding: HistoryDocument(query, history).csv, as: UTF8.self) == rows.map { $0 + "\r\n" }.joined()
        )
    }

    @Test func `changes are a table with the state before and after each`() {
        let start = History.testStart
        let shown = DisplayChange.Shown(brightness: .full, baseline: .full, isOn: true, isAvailable: true)
        let dark = DisplayChange.Shown(brightness: .full, baseline: .full, isOn: false, isAvailable: true)
        let changes = [
            DisplayChange(
                DisplayID("left")!,
                shown,
                before: dark,
                lease: .init(.sleep, hasEnded: true),
                cause: Cause(.expired, by: "=1", reason: "a,b", at: start)
            ),
            DisplayChange(DisplayID("left")!, dark, before: nil, cause: Cause(.connected, at: start)),
        ]
        let rows = [
            "at,display,brightness,baseline,on,available,brightnessBefore,baselineBefore,onBefore,availableBefore,"
                + "lease,ended,kind,by,principal,reason",
            "2026-11-21T06:00:00.000Z,left,1,1,true,true,1,1,false,true,sleep,true,expired,\"'=1\",,\"a,b\"",
            "2026-11-21T06:00:00.000Z,left,1,1,false,true,,,,,,,connected,,,",
        ]
        #expect(String(decoding: DisplayChange.csv(changes), as: UTF8.self) == rows.map { $0 + "\r\n" }.joined())
    }

    @Test(arguments: [
        ("plain", "plain"), ("", ""), ("a,b", "\"a,b\""), ("a\"b", "\"a\"\"b\""), ("a\r\nb", "\"a\r\nb\""),
        ("=1", "\"'=1\""), ("+1", "\"'+1\""), ("-1", "\"'-1\""), ("@x", "\"'@x\""), ("\tx", "\"'\tx\""),
        ("1-2", "1-2"), ("ä", "ä"),
    ])
    func `a value is quoted where the format or a spreadsheet would read something else`(value: String, text: String) {
        var csv = CSVWriter()
        csv.row([value, nil])
        #expect(String(decoding: csv.bytes, as: UTF8.self) == text + ",\r\n")
    }
}
