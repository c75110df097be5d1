// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import ESPHome

@Suite struct ProtobufTests {
    private enum Field: Int, MessageField {
        case first = 1
        case second = 2
        case twentieth = 20
    }

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

    @Test func `written fields are read`() throws {
        var writer = ProtobufWriter<Field>()
        writer.bool(.first, true)
        writer.string(.second, "hi")
        writer.float(.twentieth, 0.5)
        #expect(writer.bytes == [0x08, 0x01, 0x12, 0x02, 0x68, 0x69, 0xA5, 0x01, 0x00, 0x00, 0x00, 0x3F])
        #expect(try fields(writer.bytes)[20]?.float == 0.5)
    }

    @Test func `fields with the default of their type are left out`() {
        var writer = ProtobufWriter<Field>()
        writer.bool(.first, false)
        writer.unsigned(.first, 0)
        writer.fixed(.first, 0)
        writer.string(.second, "")
        #expect(writer.bytes == [])
    }

    @Test func `a field with another wire type counts as missing`() throws {
        let command = try LightCommand(
            ProtobufReader([0x08, 0x07, 0x10, 0x01, 0x1A, 0x00, 0x20, 0x01, 0x28, 0x01][...])
        )
        #expect((command.key, command.isOn, command.brightness) == (0, false, 0))
    }
}
