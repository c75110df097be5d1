// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import ESPHome

@Suite struct ProtobufTests {
    private func fields(_ bytes: [UInt8]) throws -> [Int: WireValue] {
        var reader = ProtobufReader(bytes[...])
        var fields: [Int: WireValue] = [:]
        while let (number, value) = try reader.next() { fields[number] = value }
        return fields
    }

    @Test(
        arguments: [
            ([], [:]),
            ([0x08, 0x00], [1: .varint(0)]),
            ([0x08, 0x96, 0x01], [1: .varint(150)]),
            ([0x08, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x01], [1: .varint(.max)]),
            ([0x0D, 1, 2, 3, 4], [1: .fixed32(0x0403_0201)]),
            ([0x09, 1, 2, 3, 4, 5, 6, 7, 8], [1: .fixed64(0x0807_0605_0403_0201)]),
            ([0x12, 0x02, 0x68, 0x69], [2: .bytes([0x68, 0x69])]),
            ([0x12, 0x00, 0xA2, 0x01, 0x01, 0x41], [2: .bytes([]), 20: .bytes([0x41])]),
        ] as [([UInt8], [Int: WireValue])]
    )
    func `a message has these fields`(bytes: [UInt8], expected: [Int: WireValue]) throws {
        #expect(try fields(bytes) == expected)
    }

    @Test(
        arguments: [
            [0x08], [0x08, 0x80], [0x0D, 1, 2, 3], [0x09, 1, 2, 3, 4, 5, 6, 7], [0x12, 0x02, 0x68],
            // A length of 2⁶³, a varint of 11 bytes, one without an end, the field 0, a group.
            [0x12, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x01],
            [0x08] + [UInt8](repeating: 0x80, count: 10) + [0x01], [0x08] + [UInt8](repeating: 0xFF, count: 100),
            [0x00, 0x00],
            [0x0B, 0x0C],
        ] as [[UInt8]]
    )
    func `malformed bytes are rejected`(bytes: [UInt8]) {
        #expect(throws: ProtobufReader.Malformed.self) { try fields(bytes) }
    }

    @Test(
        arguments: [
            (.bool(true), [0x08, 0x01]), (.varint(300), [0x08, 0xAC, 0x02]), (.text("hi"), [0x0A, 0x02, 0x68, 0x69]),
            (.float(0.5), [0x0D, 0x00, 0x00, 0x00, 0x3F]), (.fixed64(1), [0x09, 1, 0, 0, 0, 0, 0, 0, 0]),
            // The default of each type is left out.
            (.bool(false), []), (.varint(0), []), (.text(""), []), (.float(0), []), (.fixed64(0), []),
        ] as [(WireValue, [UInt8])]
    )
    func `a value is written and read`(value: WireValue, bytes: [UInt8]) throws {
        var written: [UInt8] = []
        value.append(as: 1, to: &written)
        #expect(written == bytes)
        #expect(try fields(bytes)[1] == (bytes.isEmpty ? nil : value))
    }

    @Test func `a field with another wire type counts as missing`() throws {
        let bytes: [UInt8] = [0x08, 0x07, 0x10, 0x01, 0x1A, 0x00, 0x20, 0x01, 0x28, 0x01]
        let fields = try MessageFields(.lightCommandRequest, bytes[...])
        #expect((fields.fixed(.key), fields.bool(.state), fields.float(.brightness)) == (0, false, 0))
    }
}
