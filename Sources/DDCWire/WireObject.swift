// SPDX-License-Identifier: Apache-2.0

/// One line between the daemon and `brightness-ddc`: a flat JSON object (RFC 8259) whose members are strings, whole
/// numbers or `true`. `docs/internals/monitors.md` lists every line.
package struct WireObject: Hashable, Sendable {
    package enum Value: Hashable, Sendable {
        case text(String)
        case number(Int)
        case yes
    }

    private var members: [String: Value]

    package init(_ members: [String: Value]) { self.members = members }

    package func text(_ name: String) -> String? {
        if case .text(let text) = members[name] { text } else { nil }
    }

    package func number(_ name: String) -> Int? {
        if case .number(let number) = members[name] { number } else { nil }
    }

    package func holds(_ name: String) -> Bool { members[name] == .yes }

    // MARK: Bytes

    /// The object with a line end. Members are sorted by name.
    package var line: [UInt8] {
        let text = members.sorted { $0.key < $1.key }.map { "\(Self.quoted($0.key)):\(Self.text(of: $0.value))" }
        return Array("{\(text.joined(separator: ","))}\n".utf8)
    }

    private static func text(of value: Value) -> String {
        switch value {
        case .text(let text): quoted(text)
        case .number(let number): String(number)
        case .yes: "true"
        }
    }

    private static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case _ where scalar.value < 0x20:
                let digits = String(scalar.value, radix: 16)
                result += "\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }

    /// Reads a line; `nil` for anything else.
    package init?(line: some Sequence<UInt8>) {
        var reader = WireReader(Array(line))
        guard let members = reader.object() else { return nil }
        self.members = members
    }
}

/// Reads one flat object, byte by byte.
private struct WireReader {
    private let bytes: [UInt8]
    private var place = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    mutating func object() -> [String: WireObject.Value]? {
        guard take("{") else { return nil }
        var members: [String: WireObject.Value] = [:]
        if !take("}") {
            repeat {
                guard let name = text(), members[name] == nil, take(":"), let value = value() else { return nil }
                members[name] = value
            } while take(",")
            guard take("}") else { return nil }
        }
        skipSpace()
        return place == bytes.count ? members : nil
    }

    /// The first byte decides the type.
    private mutating func value() -> WireObject.Value? {
        skipSpace()
        guard place < bytes.count else { return nil }
        switch bytes[place] {
        case UInt8(ascii: "\""): return text().map { .text($0) }
        case UInt8(ascii: "t"): return "true".utf8.allSatisfy { takeByte($0) } ? .yes : nil
        default: return number().map { .number($0) }
        }
    }

    private mutating func number() -> Int? {
        skipSpace()
        let text = bytes[place...].prefix { $0 == UInt8(ascii: "-") || (0x30...0x39).contains($0) }
        let digits = text.first == UInt8(ascii: "-") ? text.dropFirst() : text
        guard digits.first != UInt8(ascii: "0") || digits.count == 1,
            let number = Int(String(decoding: text, as: UTF8.self))
        else { return nil }
        place += text.count
        return number
    }

    private mutating func text() -> String? {
        guard take("\"") else { return nil }
        var text: [UInt8] = []
        while place < bytes.count {
            let byte = bytes[place]
            place += 1
            switch byte {
            case UInt8(ascii: "\""):
                return String(validating: text, as: UTF8.self)
            case UInt8(ascii: "\\"):
                guard let scalar = escaped() else { return nil }
                text += Array(String(Character(scalar)).utf8)
            case 0..<0x20:
                return nil
            default:
                text.append(byte)
            }
        }
        return nil
    }

    private mutating func escaped() -> Unicode.Scalar? {
        guard place < bytes.count else { return nil }
        defer { place += 1 }
        switch bytes[place] {
        case UInt8(ascii: "\""): return "\""
        case UInt8(ascii: "\\"): return "\\"
        case UInt8(ascii: "/"): return "/"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{C}"
        case UInt8(ascii: "u"):
            let digits = bytes[(place + 1)...].prefix(4)
            place += digits.count
            // `UInt32(_:radix:)` accepts a sign.
            guard digits.count == 4, !digits.contains(UInt8(ascii: "+")) else { return nil }
            return UInt32(String(decoding: digits, as: UTF8.self), radix: 16).flatMap { Unicode.Scalar($0) }
        default: return nil
        }
    }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        skipSpace()
        return takeByte(UInt8(ascii: character))
    }

    private mutating func takeByte(_ byte: UInt8) -> Bool {
        guard place < bytes.count, bytes[place] == byte else { return false }
        place += 1
        return true
    }

    private mutating func skipSpace() {
        while place < bytes.count, [0x20, 0x09, 0x0D, 0x0A].contains(bytes[place]) { place += 1 }
    }
}
