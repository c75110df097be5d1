// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import BrightnessCore
@testable import Documents

@Suite struct HistoryCSVTests {
    @Test func `a history is a table of points, changes and leases in the order of time`() throws {
        let start = History.testStart
        let query = try HistoryQuery(DisplayID("-panel")!, from: start, to: start + .seconds(60), step: 60)
        var history = History.twoPoints
        history.leases = [
            LeaseInterval(
                holder: "=cmd|' /C calc'!A0",
                reason: "a \"quoted\", long\nreason",
                brightness: .full,
                from: start + .seconds(1),
                to: start + .seconds(2),
                end: .expired
            )
        ]
        history.causes = [Cause(.api, by: "@maria", principal: Principal("kiosk"), reason: "", at: start)]
        let rows = [
            "record,display,at,brightness,baseline,illuminance,kind,by,principal,reason,to,end",
            "change,\"'-panel\",2026-11-21T06:00:00.000Z,,,,api,\"'@maria\",kiosk,,,",
            "point,\"'-panel\",2026-11-21T06:00:00.000Z,,,,,,,,,",
            "lease,\"'-panel\",2026-11-21T06:00:01.000Z,1,,,boost,\"'=cmd|' /C calc'!A0\",,"
                + "\"a \"\"quoted\"\", long\nreason\",2026-11-21T06:00:02.000Z,expired",
            "point,\"'-panel\",2026-11-21T06:01:00.000Z,1,0.42,320,,,,,,",
        ]
        #expect(
            String(decoding: HistoryDocument(query, history).csv, as: UTF8.self) == rows.map { $0 + "\r\n" }.joined()
        )
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
