// SPDX-License-Identifier: Apache-2.0
import Support

extension Unicode.Scalar {
    /// Whether the character changes how the surrounding text is shown: C0 and C1 controls, DEL, line and paragraph
    /// separators, and bidirectional embeddings, overrides and isolates. It can hide or forge text in a terminal or a
    /// log.
    ///
    /// - SeeAlso: Unicode Technical Report 36, section 2.5, and Standard Annex 9.
    package var isControl: Bool {
        switch value {
        case 0x00...0x1F, 0x7F...0x9F, 0x2028...0x202E, 0x2066...0x2069: true
        default: false
        }
    }
}

extension StringProtocol {
    /// Whether it is a name that people choose: letters, digits and `_ . -`, and one path segment.
    ///
    /// - Parameter limit: The maximum length in bytes.
    package func isName(upTo limit: Int = 64) -> Bool {
        (1...limit).contains(utf8.count) && self != "." && self != ".."
            && utf8.allSatisfy { $0.isLetterOrDigit || "_.-".utf8.contains($0) }
    }
}

extension String {
    /// Whether the text has no control characters.
    package var isPlain: Bool {
        // Most text is ASCII.
        var hasOthers = false
        for byte in utf8 {
            if byte < 0x20 || byte == 0x7F { return false }
            if byte >= 0x80 { hasOthers = true }
        }
        return !hasOthers || !unicodeScalars.contains { $0.isControl }
    }

    /// Whether it has `length` characters (code points, as in JSON Schema), none of them a control character.
    package func isPlain(ofLength length: ClosedRange<Int>) -> Bool {
        // Code points are counted only if the number of bytes does not decide.
        let isCertain = utf8.count <= length.upperBound && length.lowerBound <= (isEmpty ? 0 : 1)
        return (isCertain || length.contains(unicodeScalars.count)) && isPlain
    }

    /// Whether people can see the text and distinguish it from others: it has a visible character, and no format
    /// characters (Cf) but the joiners that scripts and emoji need.
    ///
    /// - SeeAlso: Unicode Technical Report 36, section 2.
    package var isVisible: Bool {
        var isVisible = false
        for scalar in unicodeScalars {
            if scalar.isASCII {
                if scalar != " " { isVisible = true }
                continue
            }
            switch scalar.properties.generalCategory {
            case .format:
                guard scalar == "\u{200C}" || scalar == "\u{200D}" else { return false }
            case .spaceSeparator, .nonspacingMark, .enclosingMark, .unassigned:
                break
            default:
                // U+2800 is the Braille pattern without dots.
                if !scalar.properties.isDefaultIgnorableCodePoint, scalar != "\u{2800}" { isVisible = true }
            }
        }
        return isVisible
    }

    /// Whether it is a name in a person's own words: 1 to 64 characters of any script (code points), a visible one
    /// among them, no control or format character, no space at an end.
    package var isFreeName: Bool {
        // U+FFFD stands for bytes that are not UTF-8.
        isPlain(ofLength: 1...64) && !unicodeScalars.contains("\u{FFFD}") && first?.isWhitespace == false
            && last?.isWhitespace == false && isVisible
    }

    /// Returns the text with control characters written as `\u{…}`, cut to at most `limit` code points.
    ///
    /// Does not escape backslashes: the result is for people and is not parsed.
    package func plain(upTo limit: Int) -> String {
        // Text with at most `limit` bytes has at most `limit` code points.
        if utf8.count <= limit, isPlain { return self }
        var plain = ""
        var left = limit
        for scalar in unicodeScalars {
            guard left > 0 else { return plain + "…" }
            left -= 1
            if scalar.isControl {
                plain += "\\u{\(String(scalar.value, radix: 16))}"
            } else {
                plain.unicodeScalars.append(scalar)
            }
        }
        return plain
    }

    /// The text as a segment of a path or a value of a query: percent-encoded but for letters, digits and `-._~`
    /// (RFC 3986).
    ///
    /// - Parameter kept: More characters that stay, in ASCII.
    package func percentEncoded(keeping kept: String = "") -> String {
        utf8.reduce(into: "") { text, byte in
            if byte.isLetterOrDigit || "-._~".utf8.contains(byte) || kept.utf8.contains(byte) {
                text.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                text += (byte < 16 ? "%0" : "%") + String(byte, radix: 16, uppercase: true)
            }
        }
    }
}
