// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials

/// Any JSON value that a client sent.
package enum JSONValue: Equatable, Sendable {
    case object([String: JSONValue])
    case array([JSONValue])
    case string(String)
    case number(Double)
    case bool(Bool)
    case null

    private static let decoder = JSONDecoder()

    /// Returns `nil` if the bytes are not JSON text.
    package init?(parsing bytes: [UInt8]) {
        // JSONDecoder lets a comma before a closing bracket pass, and text in UTF-16 and UTF-32, which has zero bytes.
        guard !bytes.contains(0), !Self.hasTrailingComma(bytes),
            let value = try? Self.decoder.decode(JSONValue.self, from: Data(bytes))
        else { return nil }
        self = value
    }

    private static func hasTrailingComma(_ bytes: [UInt8]) -> Bool {
        var (isInString, isEscaped, followsComma) = (false, false, false)
        for byte in bytes {
            if isInString {
                if !isEscaped, byte == UInt8(ascii: "\"") { isInString = false }
                isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
                continue
            }
            switch byte {
            case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"), UInt8(ascii: "\n"): continue
            case UInt8(ascii: "}"), UInt8(ascii: "]"): if followsComma { return true }
            case UInt8(ascii: "\""): isInString = true
            default: break
            }
            followsComma = byte == UInt8(ascii: ",")
        }
        return false
    }
}

extension JSONValue: Decodable {
    private struct Name: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    package init(from decoder: any Decoder) throws {
        // What a value is not is found out by an error, which is slow: so what a body is first, and what is in it.
        let isRoot = decoder.codingPath.isEmpty
        let value =
            try isRoot
            ? Self.container(decoder) ?? Self.scalar(decoder) : Self.scalar(decoder) ?? Self.container(decoder)
        guard let value else {
            let description = "a number that no Double can hold"
            throw DecodingError.dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: description))
        }
        self = value
    }

    private static func scalar(_ decoder: any Decoder) throws -> JSONValue? {
        let value = try decoder.singleValueContainer()
        if value.decodeNil() { return .null }
        if let string = try? value.decode(String.self) { return .string(string) }
        if let number = try? value.decode(Double.self) { return .number(number) }
        return (try? value.decode(Bool.self)).map { .bool($0) }
    }

    private static func container(_ decoder: any Decoder) throws -> JSONValue? {
        if let members = try? decoder.container(keyedBy: Name.self) {
            var object: [String: JSONValue] = [:]
            for name in members.allKeys { object[name.stringValue] = try members.decode(JSONValue.self, forKey: name) }
            return .object(object)
        }
        guard var elements = try? decoder.unkeyedContainer() else { return nil }
        var array: [JSONValue] = []
        while !elements.isAtEnd { array.append(try elements.decode(JSONValue.self)) }
        return .array(array)
    }
}
