// SPDX-License-Identifier: Apache-2.0
package import BrightnessCore

extension History {
    /// The same facts as `json`, as a table (RFC 4180): a row for each point, change and lease, in the order of time.
    package func csv(_ query: HistoryQuery) -> [UInt8] {
        let rows = points.map(CSVRow.init) + causes.map(CSVRow.init) + leases.map(CSVRow.init)
        var csv = CSVWriter(reserving: 256 + points.count * 80 + (leases.count + causes.count) * 160)
        csv.row([
            "record", "display", "at", "brightness", "baseline", "illuminance", "kind", "by", "principal", "reason",
            "to",
            "end",
        ])
        for row in rows.sorted(by: { ($0.at, $0.record.rawValue) < ($1.at, $1.record.rawValue) }) {
            csv.row([
                row.record.rawValue, query.display.text, row.at.rfc3339, JSONWriter.decimal(row.brightness?.fraction),
                JSONWriter.decimal(row.baseline?.fraction), JSONWriter.decimal(row.illuminance?.lux), row.kind, row.by,
                row.principal, row.reason, row.to?.rfc3339, row.end,
            ])
        }
        return csv.bytes
    }
}

/// A row of the table.
private struct CSVRow {
    /// Their names are in the order of rows of one time.
    enum Record: String {
        case change, lease, point
    }

    let record: Record
    let at: Timestamp
    var brightness: Brightness?
    var baseline: Brightness?
    var illuminance: Illuminance?
    var kind: String?
    var by: String?
    var principal: String?
    var reason: String?
    var to: Timestamp?
    var end: String?

    init(_ point: History.Point) {
        record = .point
        at = point.at
        brightness = point.brightness
        baseline = point.baseline
        illuminance = point.illuminance
    }

    init(_ cause: Cause) {
        record = .change
        at = cause.at
        kind = cause.kind.rawValue
        by = cause.by
        principal = cause.principal?.text
        reason = cause.reason
    }

    init(_ lease: LeaseInterval) {
        record = .lease
        at = lease.from
        brightness = lease.brightness
        kind = lease.kind.rawValue
        by = lease.holder
        reason = lease.reason
        to = lease.to
        end = lease.end?.rawValue
    }
}
