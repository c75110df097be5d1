// SPDX-License-Identifier: Apache-2.0

/// A field's value, as protobuf encodes it.
enum WireValue: Equatable {
    case varint(UInt64)
    case fixed64(UInt64)
    /// A text, bytes, or a message.
    case bytes(ArraySlice<UInt8>)
    case fixed32(UInt32)

    static func bool(_ value: Bool) -> WireValue { .varint(value ? 1 : 0) }

    static func number(_ value: some UnsignedInteger) -> WireValue { .varint(UInt64(value)) }

    static func float(_ value: Float) -> WireValue { .fixed32(value.bitPattern) }

    static func text(_ text: String) -> WireValue { .bytes(Array(text.utf8)[...]) }

    static func part(_ type: MessageType, _ values: MessageType.Values) -> WireValue {
        .bytes(type.encode(values)[...])
    }

    var data: ArraySlice<UInt8>? { if case .bytes(let bytes) = self { bytes } else { nil } }

    /// Appends a field with this value, unless it is the default of its type.
    func append(as field: Int, to bytes: inout [UInt8]) {
        func tag(_ type: Int) { Varint.append(UInt64(field << 3 | type), to: &bytes) }
        switch self {
        case .varint(0), .fixed64(0), .fixed32(0): break
        case .varint(let number):
            tag(0)
            Varint.append(number, to: &bytes)
        case .fixed64(let number):
            tag(1)
            for shift in stride(from: 0, to: 64, by: 8) { bytes.append(UInt8(truncatingIfNeeded: number >> shift)) }
        case .bytes(let data):
            if data.isEmpty { break }
            tag(2)
            Varint.append(UInt64(data.count), to: &bytes)
            bytes += data
        case .fixed32(let number):
            tag(5)
            for shift in stride(from: 0, to: 32, by: 8) { bytes.append(UInt8(truncatingIfNeeded: number >> shift)) }
        }
    }
}

/// Reads the fields of a protobuf message in their order. Nothing is copied.
///
/// Its cost is linear in the bytes: a length beyond the end, and a varint without an end, are malformed.
///
/// - SeeAlso: https://protobuf.dev/programming-guides/encoding
struct ProtobufReader {
    /// The bytes are not a message.
    struct Malformed: Error {}

    private var rest: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

    /// Returns the next field; `nil` at the end.
    mutating func next() throws(Malformed) -> (number: Int, value: WireValue)? {
        guard !rest.isEmpty else { return nil }
        let tag = try varint()
        let number = Int(truncatingIfNeeded: tag >> 3)
        guard (1...0x1FFF_FFFF).contains(number) else { throw Malformed() }
        switch tag & 7 {
        case 0: return (number, .varint(try varint()))
        case 1: return (number, .fixed64(UInt64(try fixed32()) | UInt64(try fixed32()) << 32))
        case 2:
            let length = try varint()
            guard length <= UInt64(rest.count) else { throw Malformed() }
            defer { rest = rest.dropFirst(Int(length)) }
            return (number, .bytes(rest.prefix(Int(length))))
        case 5: return (number, .fixed32(try fixed32()))
        // Groups, which proto3 does not have.
        default: throw Malformed()
        }
    }

    private mutating func varint() throws(Malformed) -> UInt64 {
        guard let (number, length) = Varint.read(rest, atMost: Varint.longest), length > 0 else { throw Malformed() }
        rest = rest.dropFirst(length)
        return number
    }

    private mutating func fixed32() throws(Malformed) -> UInt32 {
        guard rest.count >= 4 else { throw Malformed() }
        defer { rest = rest.dropFirst(4) }
        return rest.prefix(4).reversed().reduce(0) { $0 << 8 | UInt32($1) }
    }
}

/// Numbers of a variable length: seven bits a byte, the lower ones first.
enum Varint {
    /// The bytes of the longest one.
    static let longest = 10

    /// Reads the number at the beginning of some bytes.
    ///
    /// - Parameter limit: Its maximum length in bytes.
    /// - Returns: The number and its bytes, 0 if the bytes end before it does; `nil` if it is longer than `limit`.
    static func read(_ bytes: ArraySlice<UInt8>, atMost limit: Int) -> (number: UInt64, length: Int)? {
        var number: UInt64 = 0
        for (index, byte) in bytes.prefix(limit).enumerated() {
            number |= UInt64(byte & 0x7F) << UInt64(7 * index)
            if byte < 0x80 { return (number, index + 1) }
        }
        return bytes.count < limit ? (0, 0) : nil
    }

    static func append(_ number: UInt64, to bytes: inout [UInt8]) {
        var rest = number
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(truncatingIfNeeded: rest))
    }
}
