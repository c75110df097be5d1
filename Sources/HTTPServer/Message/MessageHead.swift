// SPDX-License-Identifier: Apache-2.0
internal import CMicroHTTPD
import Support

/// The framing that the header fields of a request declare (RFC 9112, sections 3.2, 6.1 and 6.3).
///
/// libmicrohttpd 0.9.75 is lenient: it appends the text of a folded line to the field's name, and lets
/// `Transfer-Encoding` override `Content-Length`. Of several lengths or hosts it uses the first. It accepts any byte in
/// a field name, spaces in a target, and a message without `Host`. With its strict option it rejects the last two
/// itself, with a page whose head it sends twice.
///
/// Behind a proxy that reads such a message differently, one request becomes two. So the server rejects each of these.
struct MessageHead {
    private(set) var contentLength: Int?
    private(set) var isChunked = false
    /// Whether the client waits for `100 Continue` before it sends its body.
    private(set) var asksFirst = false
    /// The header fields that nearly every request needs, collected on the way.
    private(set) var frequent = FrequentFields()
    private var lengths = 0
    private var encodings = 0
    private var hosts = 0
    private var bytes = 0
    private var error: RequestError?

    var hasBody: Bool { isChunked || (contentLength ?? 0) > 0 }

    init(of connection: OpaquePointer, isHTTP10: Bool) throws(RequestError) {
        withUnsafeMutablePointer(to: &self) { head in
            _ = MHD_get_connection_values_n(connection, .HEADER_KIND, Self.visit, head)
        }
        if let error { throw error }
        if bytes > RequestLimits.head { throw .largeHead }
        if lengths > 1 { throw .ambiguous("The request has more than one Content-Length.") }
        if encodings > 1 { throw .ambiguous("The request has more than one Transfer-Encoding.") }
        if encodings > 0, lengths > 0 { throw .ambiguous("The request has both Transfer-Encoding and Content-Length.") }
        if encodings > 0, isHTTP10 { throw .ambiguous("HTTP/1.0 does not support Transfer-Encoding.") }
        if hosts > 1 { throw .ambiguous("The request has more than one Host.") }
        if hosts == 0, !isHTTP10 { throw .ambiguous("The request has no Host.") }
    }

    private static let visit: MHD_KeyValueIteratorN = { context, _, key, keySize, value, valueSize in
        let head = context?.assumingMemoryBound(to: MessageHead.self)
        guard let head, let key else { return .NO }
        head.pointee.add(
            UnsafeRawBufferPointer(start: key, count: keySize),
            UnsafeRawBufferPointer(start: value, count: value == nil ? 0 : valueSize)
        )
        return .YES
    }

    private mutating func add(_ name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) {
        bytes += name.count + value.count
        if value.contains(where: Self.isControl) { error = .ambiguous("A header field contains a control character.") }
        switch name.count {
        case 4 where name.isField("host"):
            hosts += 1
            frequent.host = frequent.host ?? RequestText(value)
        case 6 where name.isField("accept"):
            frequent.hasMoreAccept = frequent.accept != nil
            frequent.accept = frequent.accept ?? RequestText(value)
        case 6 where name.isField("origin"):
            frequent.origin = frequent.origin ?? RequestText(value)
        case 13 where name.isField("if-none-match"):
            frequent.ifNoneMatch = frequent.ifNoneMatch ?? RequestText(value)
        case 6 where name.isField("expect"):
            asksFirst = value.isField("100-continue")
        case 14 where name.isField("content-length"):
            lengths += 1
            contentLength = Int(String(decoding: value, as: UTF8.self))
            if contentLength.map({ $0 < 0 }) ?? true || !value.allSatisfy(\.isDigit) {
                error = .ambiguous("Content-Length is not a number.")
            }
        case 17 where name.isField("transfer-encoding"):
            encodings += 1
            isChunked = value.isField("chunked")
            if !isChunked { error = .ambiguous("Transfer-Encoding is not \"chunked\".") }
        case 15... where name.prefix(14).isField("content-length") || name.prefix(17).isField("transfer-encoding"):
            error = .ambiguous("The Content-Length or Transfer-Encoding continues on another line.")
        default:
            if !name.allSatisfy(Self.isTokenByte) || name.isEmpty {
                error = .ambiguous("A header field's name is not a token.")
            }
        }
    }

    /// RFC 9110, section 5.5. (libmicrohttpd does not show bytes after a zero byte.)
    private static func isControl(_ byte: UInt8) -> Bool { (byte < 0x20 && byte != 0x09) || byte == 0x7F }

    /// RFC 9110, section 5.6.2.
    private static func isTokenByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x5E...0x7A: true
        case 0x21, 0x23...0x27, 0x2A, 0x2B, 0x2D, 0x2E, 0x7C, 0x7E: true
        default: false
        }
    }
}

extension UnsafeRawBufferPointer {
    fileprivate func prefix(_ length: Int) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: self[..<Swift.min(length, count)])
    }

    /// Whether these bytes are `lowercase` in any case.
    fileprivate func isField(_ lowercase: StaticString) -> Bool {
        lowercase.withUTF8Buffer { expected in
            count == expected.count
                && zip(self, expected).allSatisfy { byte, other in
                    byte == other || ((0x41...0x5A).contains(byte) && byte | 0x20 == other)
                }
        }
    }
}
