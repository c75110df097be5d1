// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// The head of an answer that has a length, as far as a client in a hurry needs it.
package struct Response: Hashable, Sendable {
    package let status: Int
    package let headLength: Int
    package let bodyLength: Int
    package let contentType: String?
    /// The server will not take another request on this connection.
    package let closes: Bool

    package var length: Int { headLength + bodyLength }

    /// - Returns: `nil` while the head is not complete.
    /// - Throws: `.unexpected` for anything but HTTP/1.1 with a Content-Length (204 and 304 need none).
    package init?(head bytes: UnsafeRawBufferPointer) throws(LoadError) {
        guard let end = bytes.offset(of: "\r\n\r\n") else { return nil }
        guard end > 12, memcmp(bytes.baseAddress!, "HTTP/1.1 ", 9) == 0,
            let status = Int(String(decoding: bytes[9..<12], as: UTF8.self))
        else { throw .unexpected(answer: bytes.excerpt) }
        let lines = String(decoding: bytes[..<end], as: UTF8.self).split(separator: "\r\n").dropFirst()
        func field(_ name: String) -> String? {
            lines.first { $0.lowercased().hasPrefix(name + ":") }.map { line in
                String(line.dropFirst(name.count + 1).drop { $0 == " " })
            }
        }
        let hasNoBody = status == 204 || status == 304
        guard let bodyLength = hasNoBody ? 0 : field("content-length").flatMap({ Int($0) }) else {
            throw .unexpected(answer: bytes.excerpt)
        }
        self.status = status
        self.bodyLength = bodyLength
        headLength = end + 4
        contentType = field("content-type")
        closes = field("connection")?.lowercased() == "close"
    }

    /// Whether `bytes` begin exactly like a full answer that was read before: the short way for the next thousands.
    @inline(__always)
    func repeats(in bytes: UnsafeRawBufferPointer) -> Bool {
        guard bytes.count == length, memcmp(bytes.baseAddress!, "HTTP/1.1 2", 10) == 0 else { return false }
        return memcmp(bytes.baseAddress! + headLength - 4, "\r\n\r\n", 4) == 0
    }
}
