// SPDX-License-Identifier: Apache-2.0
private import CJansson
private import Glibc

/// A value in a JSON document that the daemon sent. It keeps the document in memory.
package struct JSON {
    private let document: Document
    private let value: UnsafeMutablePointer<json_t>

    /// Returns `nil` for anything that is not JSON (RFC 8259).
    package init?(_ bytes: [UInt8]) {
        let root = bytes.withUnsafeBytes { bytes in
            json_loadb(bytes.bindMemory(to: CChar.self).baseAddress, bytes.count, Int(JSON_ALLOW_NUL), nil)
        }
        guard let root else { return nil }
        document = Document(root: root)
        value = root
    }

    private init(_ value: UnsafeMutablePointer<json_t>, of document: Document) {
        self.document = document
        self.value = value
    }

    /// The member of an object; `nil` where there is none, and where it is `null`.
    package subscript(name: String) -> JSON? {
        guard let member = json_object_get(value, name), member.pointee.type != JSON_NULL else { return nil }
        return JSON(member, of: document)
    }

    /// The elements of an array; empty for anything else.
    package var elements: [JSON] {
        (0..<json_array_size(value)).compactMap { index in json_array_get(value, index).map { JSON($0, of: document) } }
    }

    /// A string, safe to show on a terminal: each control character is replaced by a question mark.
    package var text: String? {
        guard value.pointee.type == JSON_STRING else { return nil }
        let bytes = UnsafeRawBufferPointer(start: json_string_value(value), count: json_string_length(value))
        let scalars = String(decoding: bytes, as: UTF8.self).unicodeScalars.map { scalar in
            scalar.properties.generalCategory == .control ? "?" : Character(scalar)
        }
        return String(scalars)
    }

    /// A number that also an integer can hold: no daemon sends others.
    package var number: Double? {
        switch value.pointee.type {
        case JSON_INTEGER, JSON_REAL:
            let number = json_number_value(value)
            return number.magnitude < 1e15 ? number : nil
        default: return nil
        }
    }

    package var bool: Bool? {
        switch value.pointee.type {
        case JSON_TRUE: true
        case JSON_FALSE: false
        default: nil
        }
    }

    /// The value as JSON text without line breaks.
    package var compact: String { Self.compact(value) }

    /// A value that a request's body has.
    package enum Scalar: Equatable, Sendable {
        case text(String)
        case number(Double)
        case integer(Int)
        case bool(Bool)
        case list([String])
    }

    /// The text of an object with these members, in this order.
    package static func object(_ members: [(String, Scalar)]) -> String {
        let object = json_object()
        defer { json_decref(object) }
        for (name, scalar) in members {
            let value =
                switch scalar {
                case .text(let text): json_string(text)
                case .number(let number): json_real(number)
                case .integer(let number): json_integer(json_int_t(number))
                case .bool(let isTrue): isTrue ? json_true() : json_false()
                case .list(let texts): list(texts)
                }
            json_object_set_new(object, name, value)
        }
        return compact(object)
    }

    private static func list(_ texts: [String]) -> UnsafeMutablePointer<json_t>? {
        let array = json_array()
        for text in texts { json_array_append_new(array, json_string(text)) }
        return array
    }

    /// With 15 digits, so that 0.05 is not 0.050000000000000003.
    private static func compact(_ value: UnsafeMutablePointer<json_t>?) -> String {
        let flags = JSON_COMPACT | 15 << 11 | JSON_ENCODE_ANY
        guard let text = json_dumps(value, Int(flags)) else { return "null" }
        defer { free(text) }
        return String(cString: text)
    }

    private final class Document {
        let root: UnsafeMutablePointer<json_t>

        init(root: UnsafeMutablePointer<json_t>) { self.root = root }

        deinit { json_decref(root) }
    }
}
