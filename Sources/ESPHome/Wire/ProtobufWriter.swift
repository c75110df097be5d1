// SPDX-License-Identifier: Apache-2.0

/// Writes a protobuf message whose fields are numbered by an enumeration. As proto3 does, it leaves out fields with the
/// default of their type.
struct ProtobufWriter<Field: MessageField> {
    private(set) var bytes: [UInt8] = []

    mutating func bool(_ field: Field, _ value: Bool) { if value { varint(field, 1) } }

    mutating func unsigned(_ field: Field, _ value: UInt32) { if value != 0 { varint(field, UInt64(value)) } }

    /// Of the type `fixed32`.
    mutating func fixed(_ field: Field, _ value: UInt32) {
        guard value != 0 else { return }
        tag(field, 5)
        for shift in stride(from: UInt32(0), to: 32, by: 8) { bytes.append(UInt8(truncatingIfNeeded: value >> shift)) }
    }

    mutating func float(_ field: Field, _ value: Float) { fixed(field, value.bitPattern) }

    mutating func string(_ field: Field, _ text: String) { if !text.isEmpty { data(field, Array(text.utf8)) } }

    /// A message, or an element of a repeated field: written even if it is empty.
    mutating func data(_ field: Field, _ value: [UInt8]) {
        tag(field, 2)
        Varint.append(UInt64(value.count), to: &bytes)
        bytes += value
    }

    private mutating func varint(_ field: Field, _ value: UInt64) {
        tag(field, 0)
        Varint.append(value, to: &bytes)
    }

    private mutating func tag(_ field: Field, _ type: UInt64) {
        Varint.append(UInt64(field.rawValue) << 3 | type, to: &bytes)
    }
}

/// The fields of a message that the daemon reads or writes, with their numbers.
protocol MessageField: RawRepresentable<Int>, CaseIterable, Hashable {}
