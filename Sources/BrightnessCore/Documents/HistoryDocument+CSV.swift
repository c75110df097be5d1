// SPDX-License-Identifier: Apache-2.0

extension HistoryDocument {
    /// The same facts as `json`, as a table (RFC 4180): a row for each point and lease, in the order of time.
    package var csv: [UInt8] {
        let rows = history.points.map(CSVRow.init) + history.leases.map(CSVRow.init)
        var csv = CSVWriter(reserving: 256 + rows.count * 120)
        csv.row([
            "record", "display", "at", "brightness", "baseline", "on", "illuminance", "kind", "by", "reason", "to",
            "end",
        ])
        for row in rows.sorted(by: { ($0.at, $0.record.rawValue) < ($1.at, $1.record.rawValue) }) {
            csv.row([
                row.record.rawValue, query.display.text, row.at.rfc3339, JSONWriter.decimal(row.brightness?.fraction),
                JSONWriter.decimal(row.baseline?.fraction), row.isOn.map { "\($0)" },
                JSONWriter.decimal(row.illuminance?.lux), row.kind, row.by, row.reason, row.to?.rfc3339, row.end,
            ])
        }
        return csv.bytes
    }
}

/// A row of the table.
private struct CSVRow {
    /// Their names are in the order of rows of one time.
    enum Record: String {
        case lease, point
    }

    let record: Record
    let at: Timestamp
    var brightness: Brightness?
    var baseline: Brightness?
    var isOn: Bool?
    var illuminance: Illuminance?
    var kind: String?
    var by: String?
    var reason: String?
    var to: Timestamp?
    var end: String?

    init(_ point: History.Point) {
        record = .point
        at = point.at
        brightness = point.brightness
        baseline = point.baseline
        isOn = point.isOn
        illuminance = point.illuminance
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

/// Writes a table as comma-separated values (RFC 4180), UTF-8.
///
/// A value that a spreadsheet would take for a formula begins with an apostrophe: holders and reasons are chosen by
/// clients.
///
/// - SeeAlso: OWASP, "CSV Injection".
struct CSVWriter {
    private(set) var bytes: [UInt8] = []

    init(reserving capacity: Int = 1_024) { bytes.reserveCapacity(capacity) }

    /// - Parameter values: `nil` is an empty value.
    mutating func row(_ values: [String?]) {
        for (index, value) in values.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            if let value { put(value) }
        }
        bytes += "\r\n".utf8
    }

    private mutating func put(_ value: String) {
        let isFormula = value.utf8.first.map { "=+-@\t\r\n".utf8.contains($0) } ?? false
        let isQuoted = isFormula || value.utf8.contains { ",\"\r\n".utf8.contains($0) }
        guard isQuoted else {
            bytes += value.utf8
            return
        }
        bytes.append(UInt8(ascii: "\""))
        if isFormula { bytes.append(UInt8(ascii: "'")) }
        for byte in value.utf8 {
            if byte == UInt8(ascii: "\"") { bytes.append(byte) }
            bytes.append(byte)
        }
        bytes.append(UInt8(ascii: "\""))
    }
}
