// SPDX-License-Identifier: Apache-2.0

/// One WebSocket as its client reads it: the answer to the handshake, then frames of a server (RFC 6455, section 5.2).
///
/// Messages are expected in one frame each. Holds memory only while a frame is cut in two.
package struct FrameReader: Sendable {
    /// The accept value for the key of `Request.webSocket`.
    private static let accept = "s3pplmbitxaq9kygzzhzrbk+xoo="

    private var hasHead = false
    private var rest: [UInt8] = []

    package init() {}

    /// Hands every text message that is complete with these bytes to `handle`.
    ///
    /// - Returns: Whether the server asked with a ping for a pong.
    /// - Throws: `.unexpected` for anything but `101` with the right proof; `.closed` when the server ends the
    ///   WebSocket.
    package mutating func read(
        _ bytes: UnsafeRawBufferPointer,
        _ handle: (UnsafeRawBufferPointer) -> Void
    ) throws(LoadError) -> Bool {
        var isPinged = false
        if rest.isEmpty, hasHead {
            let used = try Self.split(bytes, &isPinged, handle)
            if used < bytes.count { rest = Array(bytes[used...]) }
            return isPinged
        }
        var joined = rest + bytes
        rest = []
        if !hasHead {
            guard let end = joined.withUnsafeBytes({ $0.offset(of: "\r\n\r\n") }) else {
                rest = joined
                return false
            }
            let head = String(decoding: joined[..<end], as: UTF8.self).lowercased()
            guard head.hasPrefix("http/1.1 101"), head.contains(Self.accept) else { throw .unexpected(answer: head) }
            joined.removeFirst(end + 4)
            hasHead = true
        }
        // Typed throws do not pass through `withUnsafeBytes` in every toolchain; hence the Result.
        let used = try joined.withUnsafeBytes { bytes in
            Result { () throws(LoadError) in try Self.split(bytes, &isPinged, handle) }
        }.get()
        if used < joined.count { rest = Array(joined[used...]) }
        return isPinged
    }

    /// - Returns: How many bytes the complete frames took.
    @inline(__always)
    private static func split(
        _ bytes: UnsafeRawBufferPointer,
        _ isPinged: inout Bool,
        _ handle: (UnsafeRawBufferPointer) -> Void
    ) throws(LoadError) -> Int {
        var start = 0
        while start + 2 <= bytes.count {
            let short = Int(bytes[start + 1] & 0x7F)
            let lengthBytes = short < 126 ? 0 : short == 126 ? 2 : 8
            let payload = start + 2 + lengthBytes
            guard payload <= bytes.count else { break }
            let length = lengthBytes == 0 ? short : bytes[(start + 2)..<payload].reduce(0) { $0 << 8 | Int($1) }
            guard payload + length <= bytes.count else { break }
            switch bytes[start] & 0x0F {
            case 1: handle(UnsafeRawBufferPointer(rebasing: bytes[payload..<(payload + length)]))
            case 8: throw .closed(during: "by a close frame")
            case 9: isPinged = true
            default: break
            }
            start = payload + length
        }
        return start
    }
}

extension Request {
    /// Asks for a WebSocket, with the key of RFC 6455's example, whose answer is known.
    package static func webSocket(_ path: String) -> Request {
        Request(
            "GET",
            path,
            fields: [
                ("Connection", "Upgrade"), ("Upgrade", "websocket"), ("Sec-WebSocket-Version", "13"),
                ("Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ=="),
            ]
        )
    }

    /// A pong without payload.
    static let pong: [UInt8] = [0x8A, 0x80, 0, 0, 0, 0]
}
