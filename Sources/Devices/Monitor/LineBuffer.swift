// SPDX-License-Identifier: Apache-2.0

/// What came of lines whose ends may still be on their way.
struct LineBuffer {
    /// No line of the helper is nearly as long.
    static let longest = 65_536

    private var bytes: [UInt8] = []

    mutating func add(_ more: some Sequence<UInt8>) { bytes += more }

    /// The first line, without its end; `nil` if that has not come.
    mutating func next() -> [UInt8]? {
        guard let end = bytes.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
        defer { bytes.removeFirst(end + 1) }
        return Array(bytes[..<end])
    }

    /// What is here is longer than any line. Ask when there is no next one.
    var isEndless: Bool { bytes.count >= Self.longest }
}
