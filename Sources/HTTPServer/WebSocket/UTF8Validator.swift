// SPDX-License-Identifier: Apache-2.0

/// An incremental UTF-8 validator (RFC 3629). It rejects invalid text at its first impossible byte.
struct UTF8Validator {
    /// The number of missing bytes of the current character.
    private var missing = 0
    /// The valid range of the next byte. It is narrower for the second byte of some characters, which excludes overlong
    /// forms, surrogates, and code points beyond U+10FFFF.
    private var next: ClosedRange<UInt8> = 0x80...0xBF

    /// Whether the text ends with a whole character.
    var isComplete: Bool { missing == 0 }

    /// Returns `false` if no continuation can make the text valid.
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
