// SPDX-License-Identifier: Apache-2.0

/// Checks UTF-8 (RFC 3629) in parts as they come, so that bad text is refused at its first impossible byte.
struct UTF8Validator {
    /// Bytes of the character under way that are still to come.
    private var missing = 0
    /// What the next of them may be: narrower for the second byte of some characters, which keeps out overlong forms,
    /// surrogates, and what is beyond U+10FFFF.
    private var next: ClosedRange<UInt8> = 0x80...0xBF

    /// Whether the text ends with a whole character.
    var isComplete: Bool { missing == 0 }

    /// Returns `false` at a byte that no continuation can make right.
    mutating func accepts(_ bytes: UnsafeRawBufferPointer) -> Bool {
        for byte in bytes {
            if missing > 0 {
                guard next.contains(byte) else { return false }
                missing -= 1
                next = 0x80...0xBF
                continue
            }
            switch byte {
            case 0x00...0x7F: continue
            case 0xC2...0xDF: missing = 1
            case 0xE0: (missing, next) = (2, 0xA0...0xBF)
            case 0xED: (missing, next) = (2, 0x80...0x9F)
            case 0xE1...0xEF: missing = 2
            case 0xF0: (missing, next) = (3, 0x90...0xBF)
            case 0xF1...0xF3: missing = 3
            case 0xF4: (missing, next) = (3, 0x80...0x8F)
            default: return false
            }
        }
        return true
    }
}
