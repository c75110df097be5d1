// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// Takes the framing out of a chunked body, wherever the reads happened to cut it.
package struct ChunkedDecoder: Sendable {
    private enum Phase { case size, extensions, data, dataEnd, ended }
    private var phase = Phase.size
    private var left = 0

    package init() {}

    /// The last chunk was seen: the server has ended the body.
    package var hasEnded: Bool { phase == .ended }

    /// Moves the payload to the front of `bytes`.
    ///
    /// - Returns: How many bytes of payload there are.
    /// - Throws: `.unexpected` when a chunk does not begin with a size or end where it said.
    package mutating func decode(_ bytes: UnsafeMutableRawBufferPointer) throws(LoadError) -> Int {
        guard let base = bytes.baseAddress else { return 0 }
        var (read, written) = (0, 0)
        while read < bytes.count {
            switch phase {
            case .size:
                let byte = bytes[read]
                read += 1
                if let digit = Self.hexadecimal(byte), left < 1 << 24 {
                    left = left << 4 | digit
                } else if byte == UInt8(ascii: "\n") {
                    phase = left == 0 ? .ended : .data
                } else if byte == UInt8(ascii: ";") {
                    phase = .extensions
                } else if byte != UInt8(ascii: "\r") {
                    throw .unexpected(answer: "not a chunk: " + UnsafeRawBufferPointer(bytes).excerpt)
                }
            case .extensions:
                if bytes[read] == UInt8(ascii: "\n") { phase = left == 0 ? .ended : .data }
                read += 1
            case .data:
                let count = min(left, bytes.count - read)
                memmove(base + written, base + read, count)
                written += count
                read += count
                left -= count
                if left == 0 { phase = .dataEnd }
            case .dataEnd:
                let byte = bytes[read]
                read += 1
                if byte == UInt8(ascii: "\n") {
                    phase = .size
                } else if byte != UInt8(ascii: "\r") {
                    throw .unexpected(answer: "a chunk without end: " + UnsafeRawBufferPointer(bytes).excerpt)
                }
            case .ended:
                read = bytes.count
            }
        }
        return written
    }

    @inline(__always)
    private static func hexadecimal(_ byte: UInt8) -> Int? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): Int(byte - UInt8(ascii: "0"))
        case UInt8(ascii: "a")...UInt8(ascii: "f"): Int(byte - UInt8(ascii: "a")) + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): Int(byte - UInt8(ascii: "A")) + 10
        default: nil
        }
    }
}
