// SPDX-License-Identifier: Apache-2.0

extension UInt8 {
    package var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }

    package var isLowercaseOrDigit: Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self) || isDigit }

    /// Whether it is an ASCII letter or digit, which every name may have.
    package var isLetterOrDigit: Bool {
        isLowercaseOrDigit || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self)
    }
}
