// SPDX-License-Identifier: Apache-2.0
import BrightnessCore

/// A request's body, or the params of a call, as a JSON object, read member by member. What is not read in the end is
/// refused: a mistyped name must not pass for a wish that was granted.
package struct RequestBody {
    private var members: [String: JSONValue]
    /// Who asks, where `holder` is left out.
    package let asker: String?

    package init(params members: [String: JSONValue], by asker: String?) {
        self.members = members
        self.asker = asker
    }

    /// Reads a JSON object.
    ///
    /// - Parameter asker: Who asks, where `holder` is left out.
    package init(parsing bytes: [UInt8], by asker: String? = nil) throws(Problem) {
        self.asker = asker
        members = try Self.members(of: bytes)
    }

    private static func members(of bytes: [UInt8]) throws(Problem) -> [String: JSONValue] {
        guard let value = JSONValue(parsing: bytes) else {
            throw Problem(.malformedBody, "The body cannot be read as JSON (RFC 8259).")
        }
        guard case .object(let object) = value else {
            throw Problem(.invalidBody, "The body is JSON, but not an object such as {\"brightness\":0.5}.", at: "")
        }
        return object
    }

    /// A number in `range`; `nil` if there is no such member.
    package mutating func number(_ name: String, in range: ClosedRange<Double>) throws(Problem) -> Double? {
        guard let value = take(name) else { return nil }
        guard case .number(let number) = value, range.contains(number) else {
            throw Self.invalid(
                name,
                "\(name) is a number from \(Self.text(range.lowerBound)) to \(Self.text(range.upperBound))."
            )
        }
        return number
    }

    package mutating func integer(_ name: String) throws(Problem) -> Int? {
        guard let value = take(name) else { return nil }
        guard case .number(let number) = value, let integer = Int(exactly: number) else {
            throw Self.invalid(name, "\(name) is a whole number.")
        }
        return integer
    }

    package mutating func bool(_ name: String) throws(Problem) -> Bool? {
        guard let value = take(name) else { return nil }
        guard case .bool(let bool) = value else { throw Self.invalid(name, "\(name) is true or false.") }
        return bool
    }

    /// A string of so many characters (code points, as in JSON Schema) without control characters; `null` counts as not
    /// there.
    package mutating func string(_ name: String, length: ClosedRange<Int>) throws(Problem) -> String? {
        guard let value = take(name), value != .null else { return nil }
        guard case .string(let string) = value, string.isPlain(ofLength: length) else {
            throw Self.invalid(
                name,
                "\(name) is a string of \(length.lowerBound) to \(length.upperBound) characters without control characters."
            )
        }
        return string
    }

    /// As above, where `null` means something: the outer optional says whether there is such a member.
    package mutating func nullableString(_ name: String, length: ClosedRange<Int>) throws(Problem) -> String?? {
        guard members[name] != nil else { return nil }
        return .some(try string(name, length: length))
    }

    /// One string or several; `nil` if there is no such member.
    package mutating func strings(_ name: String) throws(Problem) -> [String]? {
        guard let value = take(name), value != .null else { return nil }
        let values = if case .array(let values) = value { values } else { [value] }
        let strings = values.compactMap { if case .string(let string) = $0 { string } else { nil } }
        guard strings.count == values.count else {
            throw Self.invalid(name, "\(name) is a string, or an array of strings.")
        }
        return strings
    }

    /// Refuses what has not been read.
    package func end() throws(Problem) {
        guard let name = members.keys.min() else { return }
        throw Self.invalid(name, "There is no member \"\(name)\" here.")
    }

    private mutating func take(_ name: String) -> JSONValue? {
        // Mostly everything has been taken when the last few names are tried.
        members.isEmpty ? nil : members.removeValue(forKey: name)
    }

    package static func invalid(_ name: String, _ detail: String) -> Problem {
        let escaped = name.replacing("~", with: "~0").replacing("/", with: "~1")
        return Problem(.invalidBody, detail, at: "/\(escaped)")
    }

    private static func text(_ number: Double) -> String {
        number == number.rounded() ? String(Int(number)) : String(number)
    }
}

extension String {
    /// Whether it has so many characters (code points, as in JSON Schema), none of them a control character.
    package func isPlain(ofLength length: ClosedRange<Int>) -> Bool { length.contains(unicodeScalars.count) && isPlain }
}
