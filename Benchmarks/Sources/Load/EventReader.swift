// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// One event stream as its client reads it: response head, then chunks if there are any, then events.
///
/// Lines are expected to end with LF alone, as all servers here write them. Holds memory only while an event is cut
/// in two.
package struct EventReader: Sendable {
    private var hasHead = false
    /// Some servers end the stream with the connection, and need no chunks.
    private var isChunked = true
    private var decoder = ChunkedDecoder()
    private var rest: [UInt8] = []

    package init() {}

    /// Hands every event that is complete with these bytes to `handle`, without its final blank line. The bytes are
    /// used up as scratch space.
    ///
    /// - Throws: `.unexpected` for anything but an endless `200`; `.closed` when the server ends the stream.
    package mutating func read(
        _ bytes: UnsafeMutableRawBufferPointer,
        _ handle: (UnsafeRawBufferPointer) -> Void
    ) throws(LoadError) {
        var body = bytes
        if !hasHead {
            guard let start = try bodyStart(UnsafeRawBufferPointer(bytes)) else { return }
            body = UnsafeMutableRawBufferPointer(rebasing: bytes[start...])
        }
        let count = isChunked ? try decoder.decode(body) : body.count
        let payload = UnsafeRawBufferPointer(rebasing: body[..<count])
        if rest.isEmpty {
            let used = Self.split(payload, handle)
            if used < count { rest = Array(payload[used...]) }
        } else {
            rest += payload
            let used = rest.withUnsafeBytes { Self.split($0, handle) }
            rest.removeFirst(used)
            if rest.isEmpty { rest = [] }
        }
        if decoder.hasEnded { throw .closed(during: "by ending the event stream") }
    }

    /// Returns the start of the body in these bytes; `nil` while the head is incomplete.
    private mutating func bodyStart(_ bytes: UnsafeRawBufferPointer) throws(LoadError) -> Int? {
        let before = rest.count
        rest += bytes
        let end = rest.withUnsafeBytes { $0.offset(of: "\r\n\r\n") }
        guard let end else { return nil }
        let head = String(decoding: rest[..<end], as: UTF8.self).lowercased()
        guard head.hasPrefix("http/1.1 200"), !head.contains("content-length:") else {
            throw .unexpected(answer: rest.withUnsafeBytes { $0.excerpt })
        }
        rest = []
        isChunked = head.contains("transfer-encoding: chunked")
        hasHead = true
        return end + 4 - before
    }

    /// - Returns: How many bytes the complete events took.
    @inline(__always)
    private static func split(_ payload: UnsafeRawBufferPointer, _ handle: (UnsafeRawBufferPointer) -> Void) -> Int {
        var start = 0
        while let end = payload.offset(of: "\n\n", from: start) {
            handle(UnsafeRawBufferPointer(rebasing: payload[start..<end]))
            start = end + 2
        }
        return start
    }
}
