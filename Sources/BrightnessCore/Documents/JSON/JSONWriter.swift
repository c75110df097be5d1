// SPDX-License-Identifier: Apache-2.0

/// Writes JSON text (RFC 8259), UTF-8, without white space.
///
/// Hand-written because every change is encoded for responses and events: `JSONEncoder` takes more than ten times as
/// long.
package struct JSONWriter: ~Copyable {
    private var buffer: UnsafeMutablePointer<UInt8>
    private var capacity: Int
    private var count = 0
    /// Whether a value here would follow another.
    private var followsValue = false

    /// - Parameter capacity: In bytes; it grows on demand.
    package init(reserving capacity: Int = 1_024) {
        buffer = .allocate(capacity: capacity)
        self.capacity = capacity
    }

    deinit { buffer.deallocate() }

    package var bytes: [UInt8] { Array(UnsafeBufferPointer(start: buffer, count: count)) }

    package static func object(_ body: (inout JSONWriter) -> Void) -> [UInt8] {
        var writer = JSONWriter()
        writer.object(body)
        return writer.bytes
    }

    package mutating func object(_ body: (inout JSONWriter) -> Void) {
        begin(UInt8(ascii: "{"))
        body(&self)
        end(UInt8(ascii: "}"))
    }

    package mutating func array<Element>(
        _ elements: some Sequence<Element>,
        _ body: (inout JSONWriter, Element) -> Void
    ) {
        begin(UInt8(ascii: "["))
        for element in elements { body(&self, element) }
        end(UInt8(ascii: "]"))
    }

    /// Writes a member's name; its value must follow.
    @inline(__always) package mutating func name(_ name: StaticString) {
        reserve(name.utf8CodeUnitCount + 4)
        if followsValue { put(UInt8(ascii: ",")) }
        put(UInt8(ascii: "\""))
        put(name.utf8Start, name.utf8CodeUnitCount)
        put(UInt8(ascii: "\""))
        put(UInt8(ascii: ":"))
        followsValue = false
    }

    /// As above, for a name that needs escapes.
    package mutating func name(any text: String) {
        string(text)
        append(":")
        followsValue = false
    }

    package mutating func member(_ name: StaticString, _ value: String?) {
        self.name(name)
        if let value { string(value) } else { null() }
    }

    package mutating func member(_ name: StaticString, optional value: Bool?) {
        self.name(name)
        if let value { bool(value) } else { null() }
    }

    package mutating func member(_ name: StaticString, _ value: Bool) {
        self.name(name)
        bool(value)
    }

    package mutating func member(_ name: StaticString, _ value: some FixedWidthInteger) {
        self.name(name)
        number(value)
    }

    package mutating func member(_ name: StaticString, optional value: Int?) {
        self.name(name)
        if let value { number(value) } else { null() }
    }

    package mutating func number(_ value: some FixedWidthInteger) {
        separate()
        if value < 0 { append("-") }
        integer(UInt64(value.magnitude))
    }

    /// Writes a number rounded to six decimals.
    package mutating func number(_ value: Double) { decimal(value) }

    /// Writes a number rounded to six decimals, enough to distinguish any two steps of a real panel.
    package mutating func member(_ name: StaticString, decimal value: Double?) {
        self.name(name)
        decimal(value)
    }

    /// Writes a finite number exactly.
    mutating func member(_ name: StaticString, exact value: Double) {
        self.name(name)
        separate()
        append(Array("\(value)".utf8))
    }

    /// The text of a number as `member(_:decimal:)` writes it.
    static func decimal(_ value: Double?) -> String? {
        guard let value else { return nil }
        var writer = JSONWriter(reserving: 32)
        writer.decimal(value)
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    private mutating func decimal(_ value: Double?) {
        guard let value else { return null() }
        separate()
        guard value.magnitude < 1e9 else { return append(Array("\(value)".utf8)) }
        let millionths = UInt64((value.magnitude * 1_000_000).rounded())
        if value < 0, millionths > 0 { append("-") }
        integer(millionths / 1_000_000)
        var (digit, rest) = (UInt64(100_000), millionths % 1_000_000)
        reserve(7)
        if rest > 0 { put(UInt8(ascii: ".")) }
        while rest > 0 {
            put(UInt8(ascii: "0") + UInt8(rest / digit))
            rest %= digit
            digit /= 10
        }
    }

    /// Writes a time as RFC 3339 does.
    package mutating func member(_ name: StaticString, _ time: Timestamp?) {
        self.name(name)
        guard let time else { return null() }
        followsValue = true
        reserve(Timestamp.length + 2)
        put(UInt8(ascii: "\""))
        time.write(to: UnsafeMutableBufferPointer(start: buffer + count, count: Timestamp.length))
        count += Timestamp.length
        put(UInt8(ascii: "\""))
    }

    package mutating func member(_ name: StaticString, _ body: (inout JSONWriter) -> Void) {
        self.name(name)
        object(body)
    }

    package mutating func member<Element>(
        _ name: StaticString,
        each elements: some Sequence<Element>,
        _ body: (inout JSONWriter, Element) -> Void
    ) {
        self.name(name)
        array(elements, body)
    }

    package mutating func member<Element>(
        _ name: StaticString,
        objects elements: some Sequence<Element>,
        _ body: (inout JSONWriter, Element) -> Void
    ) {
        member(name, each: elements) { json, element in json.object { body(&$0, element) } }
    }

    package mutating func member(_ name: StaticString, raw json: [UInt8]) {
        self.name(name)
        raw(json)
    }

    /// Writes a value that is JSON text already.
    package mutating func raw(_ json: [UInt8]) {
        separate()
        append(json)
    }

    package mutating func bool(_ value: Bool) {
        separate()
        append(value ? "true" : "false")
    }

    package mutating func null() {
        separate()
        append("null")
    }

    package mutating func string(_ text: String) {
        separate()
        var text = text
        text.withUTF8 { bytes in
            reserve(bytes.count * Self.longestEscape + 2)
            put(UInt8(ascii: "\""))
            if let start = bytes.baseAddress, bytes.allSatisfy(Self.isPlain) {
                put(start, bytes.count)
            } else {
                for byte in bytes { put(escaping: byte) }
            }
            put(UInt8(ascii: "\""))
        }
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        byte >= 0x20 && byte != 0x7F && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
    }

    private mutating func put(escaping byte: UInt8) {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"):
            put(UInt8(ascii: "\\"))
            put(byte)
        case 0..<0x20, 0x7F:
            for byte in "\\u00".utf8 { put(byte) }
            put(Self.hexadecimal(byte >> 4))
            put(Self.hexadecimal(byte & 15))
        default:
            put(byte)
        }
    }

    private static let longestEscape = "\\u0000".utf8.count

    private static func hexadecimal(_ digit: UInt8) -> UInt8 {
        digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10
    }

    private mutating func begin(_ bracket: UInt8) {
        separate()
        reserve(1)
        put(bracket)
        followsValue = false
    }

    private mutating func end(_ bracket: UInt8) {
        reserve(1)
        put(bracket)
        followsValue = true
    }

    /// Writes a comma, unless this is the first value or follows a name.
    private mutating func separate() {
        if followsValue {
            reserve(1)
            put(UInt8(ascii: ","))
        }
        followsValue = true
    }

    // MARK: Bytes

    private mutating func integer(_ number: UInt64) {
        reserve(20)
        let start = count
        var rest = number
        repeat {
            put(UInt8(ascii: "0") + UInt8(rest % 10))
            rest /= 10
        } while rest > 0
        var digits = UnsafeMutableBufferPointer(start: buffer + start, count: count - start)
        digits.reverse()
    }

    private mutating func append(_ text: StaticString) {
        reserve(text.utf8CodeUnitCount)
        put(text.utf8Start, text.utf8CodeUnitCount)
    }

    private mutating func append(_ bytes: [UInt8]) {
        reserve(bytes.count)
        bytes.withUnsafeBufferPointer { if let start = $0.baseAddress { put(start, $0.count) } }
    }

    /// Requires reserved capacity.
    @inline(__always) private mutating func put(_ byte: UInt8) {
        buffer[count] = byte
        count += 1
    }

    /// As above.
    private mutating func put(_ start: UnsafePointer<UInt8>, _ length: Int) {
        (buffer + count).update(from: start, count: length)
        count += length
    }

    @inline(__always) private mutating func reserve(_ needed: Int) {
        if capacity - count < needed { grow(by: needed) }
    }

    private mutating func grow(by needed: Int) {
        capacity = max(capacity * 2, count + needed)
        let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
        larger.update(from: buffer, count: count)
        buffer.deallocate()
        buffer = larger
    }
}

extension Double {
    /// The number that `JSONWriter` writes for this one: so what is read from a document is equal to what was written.
    var documented: Double { magnitude < 1e9 ? (self * 1_000_000).rounded() / 1_000_000 : self }
}
