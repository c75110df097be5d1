// SPDX-License-Identifier: Apache-2.0

/// A strict check of JSON text (RFC 8259), independent of the daemon's code.
struct StrictJSON {
    private let bytes: [UInt8]
    private var place = 0
    private(set) var depth = 0
    /// The deepest nesting there is.
    private(set) var deepest = 0
    private(set) var isValid = false
    /// It holds a number of more digits, or a larger exponent, than everybody can read.
    private(set) var hasLongNumber = false

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        guard String(validating: bytes, as: UTF8.self) != nil, value() else { return }
        skipSpace()
        isValid = place == bytes.count
    }

    private var next: UInt8? { place < bytes.count ? bytes[place] : nil }

    private mutating func take(_ byte: Unicode.Scalar) -> Bool {
        guard next == UInt8(ascii: byte) else { return false }
        place += 1
        return true
    }

    private mutating func skipSpace() {
        while let next, [0x20, 0x09, 0x0A, 0x0D].contains(next) { place += 1 }
    }

    private mutating func word(_ word: String) -> Bool {
        guard bytes[place...].starts(with: word.utf8) else { return false }
        place += word.utf8.count
        return true
    }

    private mutating func value() -> Bool {
        skipSpace()
        switch next {
        case UInt8(ascii: "{"): return list("{", "}") { $0.string() && $0.colon() && $0.value() }
        case UInt8(ascii: "["): return list("[", "]") { $0.value() }
        case UInt8(ascii: "\""): return string()
        case UInt8(ascii: "t"): return word("true")
        case UInt8(ascii: "f"): return word("false")
        case UInt8(ascii: "n"): return word("null")
        default: return number()
        }
    }

    private mutating func colon() -> Bool {
        skipSpace()
        return take(":")
    }

    private mutating func list(
        _ open: Unicode.Scalar,
        _ close: Unicode.Scalar,
        _ element: (inout StrictJSON) -> Bool
    ) -> Bool {
        // The stack is not what is looked at here.
        guard take(open), depth < 2_000 else { return false }
        depth += 1
        deepest = max(deepest, depth)
        defer { depth -= 1 }
        skipSpace()
        if take(close) { return true }
        repeat {
            skipSpace()
            guard element(&self) else { return false }
            skipSpace()
        } while take(",")
        return take(close)
    }

    private mutating func string() -> Bool {
        guard take("\"") else { return false }
        while let byte = next {
            place += 1
            switch byte {
            case UInt8(ascii: "\""): return true
            case 0..<0x20: return false
            case UInt8(ascii: "\\"):
                guard let escaped = next else { return false }
                place += 1
                if "\"\\/bfnrt".utf8.contains(escaped) { continue }
                guard escaped == UInt8(ascii: "u"), let unit = unit() else { return false }
                if unit & 0xFC00 == 0xDC00 { return false }
                // A lone surrogate is invalid, although the grammar allows it (section 8.2).
                if unit & 0xFC00 == 0xD800 {
                    guard word("\\u"), let low = self.unit(), low & 0xFC00 == 0xDC00 else { return false }
                }
            default: continue
            }
        }
        return false
    }

    private mutating func unit() -> UInt16? {
        let digits = bytes[place...].prefix(4)
        guard digits.count == 4, digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }) else { return nil }
        place += 4
        return UInt16(Array(digits).text, radix: 16)
    }

    private mutating func digits() -> Int {
        let start = place
        while let next, (0x30...0x39).contains(next) { place += 1 }
        return place - start
    }

    private mutating func number() -> Bool {
        let start = place
        _ = take("-")
        if !take("0") { guard digits() > 0 else { return false } }
        if take(".") { guard digits() > 0 else { return false } }
        if take("e") || take("E") {
            _ = take("+") || take("-")
            let count = digits()
            guard count > 0 else { return false }
            if count > 2 { hasLongNumber = true }
        }
        if place - start > 200 { hasLongNumber = true }
        return true
    }
}
