// SPDX-License-Identifier: Apache-2.0
import BrightnessCore

/// The body of a request or the params of a JSON-RPC call. Both are a JSON object, which is read member by member.
///
/// `end()` rejects members that were not read, so that a mistyped name is never ignored.
package struct RequestBody {
    private var members: [String: JSONValue]
    /// The holder if the body names none.
    package let defaultHolder: String?

    package init(params members: [String: JSONValue], by defaultHolder: String?) {
        self.members = members
        self.defaultHolder = defaultHolder
    }

    /// Reads a JSON object.
    ///
    /// - Parameter defaultHolder: The holder if the body names none.
    package init(parsing bytes: [UInt8], by defaultHolder: String? = nil) throws(Problem) {
        self.defaultHolder = defaultHolder
        members = try Self.members(of: bytes)
    }

    private static func members(of bytes: [UInt8]) throws(Problem) -> [String: JSONValue] {
        guard let value = JSONValue(parsing: bytes) else {
            throw Problem(
                .invalidJSON,
                "The body is not valid JSON (RFC 8259), or it is too long, too deeply nested or has a number that is "
                    + "too large. Send one JSON object, such as {\"brightness\":0.5}."
            )
        }
        guard case .object(let object) = value else {
            throw Problem(
                .invalidBody,
                "The body must be a JSON object, such as {\"brightness\":0.5}, not \(value.excerpt).",
                at: ""
            )
        }
        return object
    }

    /// Reads a number in `range`; `nil` if the member is missing.
    package mutating func number(_ name: String, in range: ClosedRange<Double>) throws(Problem) -> Double? {
        guard let value = take(name) else { return nil }
        guard case .number(let number) = value, range.contains(number) else {
            throw Self.invalid(
                name,
                "\(name) must be a number from \(Self.text(range.lowerBound)) to \(Self.text(range.upperBound)), "
                    + "not \(value.excerpt)."
            )
        }
        return number
    }

    package mutating func integer(_ name: String) throws(Problem) -> Int? {
        guard let value = take(name) else { return nil }
        guard case .number(let number) = value, let integer = Int(exactly: number) else {
            throw Self.invalid(name, "\(name) must be a whole number, not \(value.excerpt).")
        }
        return integer
    }

    package mutating func bool(_ name: String) throws(Problem) -> Bool? {
        guard let value = take(name) else { return nil }
        guard case .bool(let bool) = value else {
            throw Self.invalid(name, "\(name) must be true or false, not \(value.excerpt).")
        }
        return bool
    }

    /// Reads a string of `length` characters (code points, as in JSON Schema) without control characters; `null` counts
    /// as missing.
    package mutating func string(_ name: String, length: ClosedRange<Int>) throws(Problem) -> String? {
        guard let value = take(name), value != .null else { return nil }
        guard case .string(let string) = value, string.isPlain(ofLength: length) else {
            throw Self.invalid(
                name,
                "\(name) must be a string of \(length.lowerBound) to \(length.upperBound) characters, "
                    + "none of them a control character."
            )
        }
        return string
    }

    /// Reads a string like `string(_:length:)`, but distinguishes `null` from a missing member.
    ///
    /// The outer optional is `nil` if the member is missing; the inner one is `nil` if the member is `null`.
    package mutating func nullableString(_ name: String, length: ClosedRange<Int>) throws(Problem) -> String?? {
        guard members[name] != nil else { return nil }
        return .some(try string(name, length: length))
    }

    /// Reads one string or an array of strings. Returns `nil` if the member is missing or `null`.
    package mutating func strings(_ name: String) throws(Problem) -> [String]? {
        guard let value = take(name), value != .null else { return nil }
        let values = if case .array(let values) = value { values } else { [value] }
        let strings = values.compactMap { if case .string(let string) = $0 { string } else { nil } }
        guard strings.count == values.count else {
            throw Self.invalid(name, "\(name) must be a string or an array of strings.")
        }
        return strings
    }

    /// Rejects members that were not read.
    package func end() throws(Problem) {
        guard let name = members.keys.min() else { return }
        throw Self.invalid(
            name,
            "Unknown member \"\(name.plain(upTo: 64))\". /openapi.yaml lists the members of each body."
        )
    }

    private mutating func take(_ name: String) -> JSONValue? {
        // Saves a lookup: usually no members are left by the time the last names are looked up.
        members.isEmpty ? nil : members.removeValue(forKey: name)
    }

    package static func invalid(_ name: String, _ detail: String) -> Problem {
        let escaped = name.replacing("~", with: "~0").replacing("/", with: "~1")
        return Problem(.invalidBody, detail, at: "/\(escaped)")
    }

    fileprivate static func text(_ number: Double) -> String {
        number == number.rounded() && abs(number) < 1e15 ? String(Int(number)) : String(number)
    }
}

extension JSONValue {
    /// The value in an error message, cut short.
    fileprivate var excerpt: String {
        switch self {
        case .object: "an object"
        case .array: "an array"
        case .string(let text): "\"\(text.plain(upTo: 32))\""
        case .number(let number): RequestBody.text(number)
        case .bool(let bool): "\(bool)"
        case .null: "null"
        }
    }
}

extension String {
    /// Whether it has `length` characters (code points, as in JSON Schema), none of them a control character.
    package func isPlain(ofLength length: ClosedRange<Int>) -> Bool { length.contains(unicodeScalars.count) && isPlain }
}
