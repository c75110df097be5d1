// SPDX-License-Identifier: Apache-2.0

/// What two ends of a WebSocket send each other.
package enum Message: Equatable, Sendable {
    /// Valid UTF-8.
    case text([UInt8])
    case binary([UInt8])

    var frame: [UInt8] {
        switch self {
        case .text(let bytes): Frame.encode(.text, bytes)
        case .binary(let bytes): Frame.encode(.binary, bytes)
        }
    }
}

/// Which messages are taken from a client. Others close its WebSocket.
package struct MessageRules: Sendable {
    /// In bytes; a longer one closes with 1009.
    package var longest: Int
    /// Otherwise binary messages close with 1003.
    package var takesBinary: Bool

    package init(longest: Int, takesBinary: Bool = false) {
        self.longest = longest
        self.takesBinary = takesBinary
    }
}
