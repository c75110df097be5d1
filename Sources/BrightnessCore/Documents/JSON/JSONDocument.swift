// SPDX-License-Identifier: Apache-2.0
internal import CJansson

/// A parsed JSON text whose values are read in place. `JSONValue` copies every member; this suits documents that arrive
/// thousands of times a second.
package final class JSONDocument {
    /// The default maximum length of a text in bytes. It suits a request's body. Parsing needs about 40 times as much
    /// memory as the text.
    package static let defaultLongest = 16_384

    private let value: UnsafeMutablePointer<json_t>

    /// Reads JSON text; `nil` if `JSONValue.parse` would throw for another reason than the nesting depth.
    package init?(parsing bytes: [UInt8], upTo longest: Int = defaultLongest) {
        guard let value = try? Self.load(bytes, upTo: longest) else { return nil }
        self.value = value
    }

    deinit { json_decref(value) }

    package var root: JSONNode { JSONNode(value, of: self) }

    /// Parses a text. The caller owns the result.
    ///
    /// - Parameter flags: More flags of Jansson's decoder.
    static func load(
        _ bytes: [UInt8],
        upTo longest: Int,
        _ flags: Int32 = 0
    ) throws(JSONSyntaxError) -> UnsafeMutablePointer<json_t> {
        guard bytes.count <= longest else { throw JSONSyntaxError("the text has more than \(longest) bytes") }
        // RFC 8259, section 8.1. Jansson would quote it, and it is invisible.
        guard !bytes.starts(with: [0xEF, 0xBB, 0xBF]) else {
            throw JSONSyntaxError("the text begins with a byte-order mark (the bytes EF BB BF); send it without one")
        }
        // Jansson takes a zero byte for the end of the text. The minimum is found of many bytes at once.
        guard bytes.reduce(.max, min) > 0 else { throw JSONSyntaxError("a zero byte is not allowed") }
        let flags = flags | JSON_DECODE_ANY | JSON_DECODE_INT_AS_REAL | JSON_ALLOW_NUL
        var error = json_error_t()
        let root = bytes.withUnsafeBytes { bytes in
            json_loadb(bytes.bindMemory(to: CChar.self).baseAddress, bytes.count, Int(flags), &error)
        }
        guard let root else { throw JSONSyntaxError(error) }
        return root
    }
}

/// A value of a `JSONDocument`.
package struct JSONNode {
    private let document: JSONDocument
    private let value: UnsafeMutablePointer<json_t>

    init(_ value: UnsafeMutablePointer<json_t>, of document: JSONDocument) {
        self.document = document
        self.value = value
    }

    /// The member of an object; `nil` without it, and for other values.
    package subscript(name: StaticString) -> JSONNode? {
        name.utf8Start.withMemoryRebound(to: CChar.self, capacity: name.utf8CodeUnitCount + 1) {
            json_object_get(value, $0).map { JSONNode($0, of: document) }
        }
    }

    /// As above, for any name.
    subscript(any name: String) -> JSONNode? {
        json_object_get(value, name).map { JSONNode($0, of: document) }
    }

    package var elements: (some Sequence<JSONNode>)? {
        value.pointee.type == JSON_ARRAY
            ? (0..<json_array_size(value)).lazy.compactMap { index in
                json_array_get(value, index).map { JSONNode($0, of: document) }
            } : nil
    }

    /// The members of an object, in any order.
    var members: [(name: String, value: JSONNode)]? {
        guard value.pointee.type == JSON_OBJECT else { return nil }
        var members: [(name: String, value: JSONNode)] = []
        var iterator = json_object_iter(value)
        while let member = iterator {
            let key = UnsafeRawBufferPointer(
                start: json_object_iter_key(member),
                count: json_object_iter_key_len(member)
            )
            if let value = json_object_iter_value(member) {
                members.append((String(decoding: key, as: UTF8.self), JSONNode(value, of: document)))
            }
            iterator = json_object_iter_next(value, member)
        }
        return members
    }

    var object: JSONNode? { value.pointee.type == JSON_OBJECT ? self : nil }

    package var isNull: Bool { value.pointee.type == JSON_NULL }

    package var string: String? {
        guard let text = json_string_value(value) else { return nil }
        let bytes = UnsafeRawBufferPointer(start: text, count: json_string_length(value))
        return String(decoding: bytes, as: UTF8.self)
    }

    var number: Double? { value.pointee.type == JSON_REAL ? json_real_value(value) : nil }

    package var bool: Bool? {
        switch value.pointee.type {
        case JSON_TRUE: true
        case JSON_FALSE: false
        default: nil
        }
    }
}

/// The values that members of documents have. `nil` for a value of another type, and for one outside its range.
extension JSONNode {
    /// A text without control characters.
    package var text: String? { text(upTo: 256) }

    /// - Parameter limit: The maximum length in characters (code points).
    func text(upTo limit: Int) -> String? {
        string.flatMap { $0.isPlain(ofLength: 0...limit) ? $0 : nil }
    }

    /// One of the words of an enumeration; `nil` also for a word that this version does not know.
    func word<Word: RawRepresentable<String>>() -> Word? { string.flatMap { Word(rawValue: $0) } }

    /// At most 2^53, up to which every integer of JSON is exact: sums of a few never overflow.
    package var integer: Int? { number.flatMap { $0.magnitude <= 0x1p53 ? Int(exactly: $0) : nil } }

    var count: Int? { integer.flatMap { $0 >= 0 ? $0 : nil } }

    var brightness: Brightness? { number.flatMap { Brightness(fraction: $0) } }

    var illuminance: Illuminance? { number.flatMap { Illuminance(lux: $0) } }

    /// An RFC 3339 timestamp.
    var time: Timestamp? { string.flatMap { Timestamp(rfc3339: $0) } }

    var display: DisplayID? { string.flatMap { DisplayID($0) } }
}
