// SPDX-License-Identifier: Apache-2.0

extension HistoryDocument {
    /// The content of `json` as a CSV table (RFC 4180): a row for each point and lease, in the order of time.
    package var csv: [UInt8] {
        typealias Row = (at: Timestamp, cells: [String?])
        let id = query.display.text
        // Swift 6.0.3 cannot compile a function in a tuple.
        let decimal = JSONWriter.decimal
        let points = history.points.map { point -> Row in
            (
                point.at,
                [
                    "point", id, point.at.rfc3339, decimal(point.brightness?.fraction),
                    decimal(point.baseline?.fraction), point.isOn.map { "\($0)" }, decimal(point.illuminance?.lux),
                    nil, nil, nil, nil, nil,
                ]
            )
        }
        let leases = history.leases.map { lease -> Row in
            (
                lease.from,
                [
                    "lease", id, lease.from.rfc3339, decimal(lease.brightness?.fraction), nil, nil, nil,
                    lease.kind.rawValue, lease.holder, lease.reason, lease.to?.rfc3339, lease.end?.rawValue,
                ]
            )
        }
        var csv = CSVWriter(reserving: 256 + (points.count + leases.count) * 120)
        csv.row([
            "record", "display", "at", "brightness", "baseline", "on", "illuminance", "kind", "by", "reason", "to",
            "end",
        ])
        // At the same time, leases come first.
        for row in (leases + points).sorted(by: { ($0.at, $0.cells[0] ?? "") < ($1.at, $1.cells[0] ?? "") }) {
            csv.row(row.cells)
        }
        return csv.bytes
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
