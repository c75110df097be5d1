// SPDX-License-Identifier: Apache-2.0

/// Writes JSON text (RFC 8259), UTF-8, without white space.
///
/// Written by hand because a state is encoded at every change, on the way of every answer and event: `JSONEncoder`
/// takes ten times as long.
package struct JSONWriter {
    package private(set) var bytes: [UInt8] = []

    package init(reserving capacity: Int = 512) { bytes.reserveCapacity(capacity) }

    package static func object(_ body: (inout JSONWriter) -> Void) -> [UInt8] {
        var writer = JSONWriter()
        writer.object(body)
        return writer.bytes
    }

    package mutating func object(_ body: (inout JSONWriter) -> Void) {
        separate()
        bytes.append(UInt8(ascii: "{"))
        body(&self)
        bytes.append(UInt8(ascii: "}"))
    }

    package mutating func array<Element>(
        _ elements: some Sequence<Element>,
        _ body: (inout JSONWriter, Element) -> Void
    ) {
        separate()
        bytes.append(UInt8(ascii: "["))
        for element in elements { body(&self, element) }
        bytes.append(UInt8(ascii: "]"))
    }

    /// A member's name; its value comes next.
    package mutating func name(_ name: StaticString) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        name.withUTF8Buffer { bytes += $0 }
        bytes.append(UInt8(ascii: "\""))
        bytes.append(UInt8(ascii: ":"))
    }

    /// As above, where the name is not known beforehand.
    package mutating func name(any text: String) {
        string(text)
        bytes.append(UInt8(ascii: ":"))
    }

    package mutating func member(_ name: StaticString, _ value: String?) {
        self.name(name)
        if let value { string(value) } else { null() }
    }

    package mutating func member(_ name: StaticString, _ value: Bool) {
        self.name(name)
        bool(value)
    }

    package mutating func member(_ name: StaticString, _ value: some BinaryInteger) {
        self.name(name)
        bytes += String(value).utf8
    }

    /// Rounded to six decimals, which tells any two steps of a real panel apart.
    package mutating func member(_ name: StaticString, fraction value: Double?) {
        self.name(name)
        guard let value else { return null() }
        let rounded = (value * 1_000_000).rounded() / 1_000_000
        bytes += (rounded == rounded.rounded() ? String(Int(rounded)) : String(rounded)).utf8
    }

    package mutating func member(_ name: StaticString, _ body: (inout JSONWriter) -> Void) {
        self.name(name)
        object(body)
    }

    /// A whole value that is JSON text already.
    package mutating func raw(_ json: [UInt8]) {
        separate()
        bytes += json
    }

    package mutating func bool(_ value: Bool) { bytes += (value ? "true" : "false").utf8 }

    package mutating func null() { bytes += "null".utf8 }

    package mutating func string(_ text: String) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        let start = bytes.count
        bytes += text.utf8
        if !bytes[start...].allSatisfy(Self.isPlain) {
            bytes.removeSubrange(start...)
            escape(text)
        }
        bytes.append(UInt8(ascii: "\""))
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        byte >= 0x20 && byte != 0x7F && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
    }

    private mutating func escape(_ text: String) {
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"):
                bytes.append(UInt8(ascii: "\\"))
                bytes.append(byte)
            case 0..<0x20, 0x7F:
                bytes += "\\u00".utf8
                bytes.append(Self.hexadecimal[Int(byte >> 4)])
                bytes.append(Self.hexadecimal[Int(byte & 15)])
            default:
                bytes.append(byte)
            }
        }
    }

    private static let hexadecimal = Array("0123456789abcdef".utf8)

    /// A comma, unless this is the first value here or follows a name.
    private mutating func separate() {
        switch bytes.last {
        case nil, UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: ":"): break
        default: bytes.append(UInt8(ascii: ","))
        }
    }
}
