// SPDX-License-Identifier: Apache-2.0
import Support

/// The body of a request or the params of a JSON-RPC call. Both are a JSON object, which is read member by member.
///
/// `end()` rejects members that were not read, so that a mistyped name is never ignored, and reports every fault
/// together.
package struct RequestBody {
    /// The maximum number of faults in one problem. A body that reaches it is rejected at once.
    static let mostFaults = 16

    private var members: [String: JSONValue]
    /// The members that the request may have, in the order in which they were read.
    private var known: [String] = []
    private var faults: [Problem.Fault] = []
    /// The text to report after "Unknown member" for known names that this request cannot have.
    private var hints: [(names: [String], detail: String)] = []
    /// Whether the body has a member with a hint.
    private var isHinted = false
    /// The holder if the body names none.
    let defaultHolder: String?
    /// The lifespan of a lease if the body names none.
    var defaultLifespan = LeaseLifespan.custom

    package init(params members: [String: JSONValue], by defaultHolder: String?) {
        self.members = members
        self.defaultHolder = defaultHolder
    }

    /// Reads a JSON object.
    ///
    /// - Parameter defaultHolder: The holder if the body names none.
    package init(
        parsing bytes: [UInt8],
        upTo longest: Int = JSONDocument.defaultLongest,
        by defaultHolder: String? = nil
    ) throws(Problem) {
        self.defaultHolder = defaultHolder
        members = try Self.members(of: bytes, upTo: longest)
        known.reserveCapacity(8)
    }

    private static func members(of bytes: [UInt8], upTo longest: Int) throws(Problem) -> [String: JSONValue] {
        let value: JSONValue
        do {
            value = try JSONValue.parse(bytes, upTo: longest)
        } catch {
            throw Problem(
                .invalidJSON,
                "The body is not valid JSON (RFC 8259): \(error). Send one JSON object, such as {\"brightness\":0.5}."
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

    /// Reads a number in `range`, with the six decimals of a document; `nil` if the member is missing or invalid.
    ///
    /// - Parameter advice: What to add to the report of a number outside the range.
    package mutating func number(
        _ name: String,
        in range: ClosedRange<Double>,
        advice: (Double) -> String? = { _ in nil }
    ) throws(Problem) -> Double? {
        guard let value = value(name) else { return nil }
        guard case .number(let number) = value, range.contains(number) else {
            let more = if case .number(let number) = value { advice(number).map { " \($0)" } ?? "" } else { "" }
            try reject(
                name,
                "\(name) must be a number from \(Self.text(range.lowerBound)) to \(Self.text(range.upperBound)), "
                    + "not \(value.excerpt).\(more)"
            )
            return nil
        }
        return number.documented
    }

    package mutating func integer(_ name: String) throws(Problem) -> Int? {
        guard let value = value(name) else { return nil }
        let integer = if case .number(let number) = value { Int(exactly: number) } else { Int?.none }
        return try valid(integer, name, "\(name) must be a whole number, not \(value.excerpt).")
    }

    package mutating func bool(_ name: String) throws(Problem) -> Bool? {
        guard let value = value(name) else { return nil }
        let bool = if case .bool(let bool) = value { bool } else { Bool?.none }
        return try valid(bool, name, "\(name) must be true or false, not \(value.excerpt).")
    }

    /// Reads a string of `length` characters (code points, as in JSON Schema) without control characters; `null` counts
    /// as missing.
    package mutating func string(_ name: String, length: ClosedRange<Int>) throws(Problem) -> String? {
        guard let value = value(name), value != .null else { return nil }
        guard case .string(let string) = value, string.isPlain(ofLength: length) else {
            try reject(
                name,
                "\(name) must be a string of \(length.lowerBound) to \(length.upperBound) characters, "
                    + "none of them a control character."
            )
            return nil
        }
        return string
    }

    /// Reads a string like `string(_:length:)`, but distinguishes `null` from a missing member.
    ///
    /// The outer optional is `nil` if the member is missing; the inner one is `nil` if the member is `null` or
    /// invalid.
    package mutating func nullableString(_ name: String, length: ClosedRange<Int>) throws(Problem) -> String?? {
        guard members[name] != nil else {
            _ = value(name)
            return nil
        }
        return .some(try string(name, length: length))
    }

    /// Reads one string or an array of strings. Returns `nil` if the member is missing or `null`.
    package mutating func strings(_ name: String) throws(Problem) -> [String]? {
        guard let value = value(name), value != .null else { return nil }
        let values = if case .array(let values) = value { values } else { [value] }
        let strings = values.compactMap { if case .string(let string) = $0 { string } else { nil } }
        let isValid = strings.count == values.count
        return try valid(isValid ? strings : nil, name, "\(name) must be a string or an array of strings.")
    }

    /// Reads any value; `nil` if the member is missing.
    package mutating func value(_ name: String) -> JSONValue? {
        known.append(name)
        // Saves a lookup: usually no members are left by the time the last names are looked up.
        return members.isEmpty ? nil : members.removeValue(forKey: name)
    }

    /// Reads an object within the body. Its faults are those of the body, each with its pointer; `nil` then.
    ///
    /// - Parameter pointer: The pointer of the object.
    mutating func nested<Value>(
        _ members: [String: JSONValue],
        at pointer: String,
        _ read: (inout RequestBody) throws(Problem) -> Value
    ) throws(Problem) -> Value? {
        var inner = RequestBody(params: members, by: nil)
        do throws(Problem) {
            return try read(&inner)
        } catch {
            for fault in error.errors { try reject(at: pointer + fault.pointer, fault.detail) }
            return nil
        }
    }

    /// The number of these members that are present and not read yet.
    func unreadCount(of names: String...) -> Int { members.keys.count { names.contains($0) } }

    /// The value of a member that is not read yet.
    func peek(_ name: String) -> JSONValue? { members[name] }

    // MARK: Faults

    /// Notes an invalid member. `end()` reports it.
    ///
    /// - Throws: The problem with all faults, if the body has too many.
    package mutating func reject(_ name: String, _ detail: String) throws(Problem) {
        try reject(at: Self.pointer(to: name), detail)
    }

    /// As above, for a JSON pointer.
    mutating func reject(at pointer: String, _ detail: String) throws(Problem) {
        faults.append(Problem.Fault(at: pointer, detail))
        if faults.count >= Self.mostFaults { throw Problem(faults) }
    }

    /// Returns the value of a member. Without one, notes an invalid member, as `reject` does.
    mutating func valid<Value>(
        _ value: Value?,
        _ name: String,
        _ detail: @autoclosure () -> String
    ) throws(Problem) -> Value? {
        if value == nil { try reject(name, detail()) }
        return value
    }

    /// Sets what is reported for these members, which this request cannot have.
    mutating func explain(_ names: [String], _ detail: String) {
        hints.append((names, detail))
    }

    /// Adds a fault for each member that was not read. Throws the problem with all faults, if there are any.
    package mutating func end() throws(Problem) {
        try rejectRest()
        if !faults.isEmpty { throw Problem(faults) }
    }

    /// As above, and rejects a body without `value`.
    ///
    /// - Parameters:
    ///   - name: The missing member; empty for the whole body.
    ///   - detail: What to report if there is no value and no fault explains it.
    package mutating func end<Value>(
        requiring value: Value?,
        _ name: String,
        _ detail: String
    ) throws(Problem) -> Value {
        try rejectRest()
        let pointer = name.isEmpty ? "" : Self.pointer(to: name)
        let isExplained = isHinted || faults.contains { name.isEmpty || $0.pointer.hasPrefix(pointer) }
        if value == nil, !isExplained {
            try reject(at: pointer, detail)
        }
        guard faults.isEmpty, let value else { throw Problem(faults) }
        return value
    }

    private mutating func rejectRest() throws(Problem) {
        if members.isEmpty { return }
        isHinted = members.keys.contains { hint(for: $0) != nil }
        for name in members.keys.sorted() { try reject(name, unknown(name)) }
        members = [:]
    }

    private func hint(for name: String) -> String? { hints.last { $0.names.contains(name) }?.detail }

    private func unknown(_ name: String) -> String {
        let start = "Unknown member \"\(name.plain(upTo: 64))\"."
        if let hint = hint(for: name) { return "\(start) \(hint)" }
        var meant = Self.synonyms[name.lowercased(), default: []].filter(known.contains)
        if meant.isEmpty, let nearest = Suggestion.nearest(to: name, among: known) { meant = [nearest] }
        let question = meant.isEmpty ? "" : " Did you mean \(Suggestion.list(meant, "or"))?"
        if known.isEmpty { return "\(start) The request has no members." }
        return "\(start)\(question) The members are \(Suggestion.list(known))."
    }

    /// For each word of another API, the members of this one that it may mean.
    private static let synonyms: [String: [String]] = {
        let words: [[String]: String] = [
            ["brightness", "percent", "raw"]: "level value bri intensity luminance backlight",
            ["ttl"]: "duration timeout seconds expires expiry lifetime time",
            ["holder"]: "by name owner client user who",
            ["reason"]: "why message comment text",
            ["transition"]: "fade transitiontime transition_time ramp",
            ["enabled"]: "on state value auto active",
            ["delta"]: "step by change amount",
            ["illuminance"]: "lux lx light level value",
        ]
        var synonyms: [String: [String]] = [:]
        for (meant, text) in words {
            for word in text.split(separator: " ") { synonyms[String(word), default: []] += meant }
        }
        return synonyms
    }()

    package static func invalid(_ name: String, _ detail: String) -> Problem {
        Problem(.invalidBody, detail, at: pointer(to: name))
    }

    static func pointer(to name: String) -> String {
        "/" + name.replacing("~", with: "~0").replacing("/", with: "~1")
    }

    static func text(_ number: Double) -> String {
        number == number.rounded() && abs(number) < 1e15 ? String(Int(number)) : String(number)
    }

    /// Reads `name`, which may only repeat that of the path.
    mutating func checkName(_ name: ResourceName) throws(Problem) {
        guard let other = try string("name", length: 1...64), other != name.text else { return }
        try reject("name", "name must be that of the path, \"\(name.text)\", or left out.")
    }
}

extension JSONValue {
    /// The value in an error message, cut short.
    var excerpt: String {
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

extension ResourceName {
    /// Reads the name in a path.
    ///
    /// - Parameter kind: What has the name, as in "A schedule".
    package init(path text: String, of kind: String) throws(Problem) {
        guard let name = ResourceName(text) else {
            throw Problem(
                .invalidBody,
                "\(kind)'s name has 1 to 64 characters: no \"/\", no control character, no space at an end, and not "
                    + "only \".\" or \"..\". Nothing was changed."
            )
        }
        self = name
    }
}
