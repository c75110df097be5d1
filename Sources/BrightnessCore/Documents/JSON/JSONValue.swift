// SPDX-License-Identifier: Apache-2.0
internal import CJansson

/// Any JSON value that a client sent.
package enum JSONValue: Equatable, Sendable {
    case object([String: JSONValue])
    case array([JSONValue])
    case string(String)
    case number(Double)
    case bool(Bool)
    case null

    /// The maximum nesting depth. Requests need a few levels.
    static let deepest = 128

    /// Reads JSON text; `nil` where `parse` throws.
    package init?(parsing bytes: [UInt8], upTo longest: Int = JSONDocument.defaultLongest) {
        guard let value = try? Self.parse(bytes, upTo: longest) else { return nil }
        self = value
    }

    /// Reads JSON text (RFC 8259) in UTF-8.
    ///
    /// - Throws: The reason if the text is not JSON, has more than `longest` bytes, has a number that is too large for
    ///   a `Double`, has more than `deepest` levels, or an object has two members of one name: which of them a client
    ///   means is unknown.
    package static func parse(
        _ bytes: [UInt8],
        upTo longest: Int = JSONDocument.defaultLongest
    ) throws(JSONSyntaxError) -> JSONValue {
        let root = try JSONDocument.load(bytes, upTo: longest, JSON_REJECT_DUPLICATES)
        defer { json_decref(root) }
        return try JSONValue(root, depth: 0)
    }

    private init(_ value: UnsafeMutablePointer<json_t>, depth: Int) throws(JSONSyntaxError) {
        guard depth < Self.deepest else { throw JSONSyntaxError("the text has more than \(Self.deepest) levels") }
        switch value.pointee.type {
        case JSON_OBJECT:
            var members = [String: JSONValue](minimumCapacity: json_object_size(value))
            var iterator = json_object_iter(value)
            while let member = iterator {
                let name = String(cString: json_object_iter_key(member))
                // Jansson compares names by bytes, Swift by characters, however they are composed.
                let new = try JSONValue(json_object_iter_value(member), depth: depth + 1)
                guard members.updateValue(new, forKey: name) == nil else {
                    throw JSONSyntaxError("two members have the name \"\(name.plain(upTo: 64))\"")
                }
                iterator = json_object_iter_next(value, member)
            }
            self = .object(members)
        case JSON_ARRAY:
            var elements: [JSONValue] = []
            for index in 0..<json_array_size(value) {
                elements.append(try JSONValue(json_array_get(value, index), depth: depth + 1))
            }
            self = .array(elements)
        case JSON_STRING:
            let text = UnsafeRawBufferPointer(start: json_string_value(value), count: json_string_length(value))
            self = .string(String(decoding: text, as: UTF8.self))
        case JSON_REAL: self = .number(json_real_value(value))
        case JSON_TRUE: self = .bool(true)
        case JSON_FALSE: self = .bool(false)
        default: self = .null
        }
    }
}

/// Why and where a text is not JSON, for people.
package struct JSONSyntaxError: Error, CustomStringConvertible {
    /// Such as `line 1, column 2: string or '}' expected near '''`.
    package let description: String

    init(_ reason: String) { description = reason }

    init(_ error: json_error_t) {
        // The reason is UTF-8 that ends with a zero byte, and may quote the text.
        let reason = withUnsafeBytes(of: error.text) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        let position = error.line > 0 ? "line \(error.line), column \(error.column): " : ""
        description = position + reason.plain(upTo: 160)
    }
}
