// SPDX-License-Identifier: Apache-2.0

/// A field's value, as protobuf encodes it.
enum WireValue: Equatable {
    case varint(UInt64)
    case fixed64(UInt64)
    /// A text, bytes, or a message.
    case bytes(ArraySlice<UInt8>)
    case fixed32(UInt32)

    /// Of a field with the type `bool`; `nil` for another wire type.
    var bool: Bool? { if case .varint(let number) = self { number != 0 } else { nil } }

    /// Of a field with an unsigned type of at most 32 bits, of which decoders keep the lower ones.
    var unsigned: UInt32? { if case .varint(let number) = self { UInt32(truncatingIfNeeded: number) } else { nil } }

    /// Of a field with the type `sint32`.
    var zigzag: Int32? { unsigned.map { Int32(bitPattern: $0 >> 1) ^ -Int32(bitPattern: $0 & 1) } }

    /// Of a field with the type `int32`.
    var signed: Int32? { unsigned.map { Int32(bitPattern: $0) } }

    var fixed: UInt32? { if case .fixed32(let number) = self { number } else { nil } }

    var float: Float? { fixed.map { Float(bitPattern: $0) } }

    /// The text, with invalid UTF-8 replaced.
    var text: String? { data.map { String(decoding: $0, as: UTF8.self) } }

    var data: ArraySlice<UInt8>? { if case .bytes(let bytes) = self { bytes } else { nil } }
}

/// Reads the fields of a protobuf message in their order. Nothing is copied.
///
/// Its cost is linear in the bytes: a length beyond the end, and a varint without an end, are malformed.
///
/// - SeeAlso: https://protobuf.dev/programming-guides/encoding
struct ProtobufReader {
    /// The bytes are no message.
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
        case 1: return (number, .fixed64(UInt64(try fixed(4)) | UInt64(try fixed(4)) << 32))
        case 2:
            let length = try varint()
            guard length <= UInt64(rest.count) else { throw Malformed() }
            defer { rest = rest.dropFirst(Int(length)) }
            return (number, .bytes(rest.prefix(Int(length))))
        case 5: return (number, .fixed32(try fixed(4)))
        // Groups, which proto3 does not have.
        default: throw Malformed()
        }
    }

    private mutating func varint() throws(Malformed) -> UInt64 {
        guard let (number, length) = Varint.read(rest, atMost: Varint.longest), length > 0 else { throw Malformed() }
        rest = rest.dropFirst(length)
        return number
    }

    private mutating func fixed(_ count: Int) throws(Malformed) -> UInt32 {
        guard rest.count >= count else { throw Malformed() }
        defer { rest = rest.dropFirst(count) }
        return rest.prefix(count).reversed().reduce(0) { $0 << 8 | UInt32($1) }
    }
}

/// Numbers of a variable length: seven bits a byte, the lower ones first.
enum Varint {
    /// The bytes of the longest one.
    static let longest = 10

    /// Reads the number at the beginning of some bytes.
    ///
    /// - Parameter limit: The most bytes it may have.
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
