// SPDX-License-Identifier: Apache-2.0

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
