// SPDX-License-Identifier: Apache-2.0
internal import CMicroHTTPD
import Glibc

/// The request line of libmicrohttpd's callback, valid during the callback.
struct RequestLine {
    let method: UnsafePointer<CChar>
    let path: UnsafePointer<CChar>
    let version: UnsafePointer<CChar>

    var target: RequestTarget { RequestTarget(path) }

    var isHTTP10: Bool { strcmp(version, MHD_HTTP_VERSION_1_0) == 0 }
}

/// A request method. `other` stands for every method that the server does not support.
package enum Method: String, Hashable, Sendable, CaseIterable {
    case get = "GET"
    case head = "HEAD"
    case post = "POST"
    case put = "PUT"
    case patch = "PATCH"
    case delete = "DELETE"
    case options = "OPTIONS"
    case other = ""

    init(_ name: UnsafePointer<CChar>) {
        self = strcmp(name, "GET") == 0 ? .get : Method(rawValue: String(cString: name)) ?? .other
    }

    var isChange: Bool { self != .get && self != .head && self != .options }
}

/// The target of a request line (RFC 9112, section 3.2), percent-decoded and without the query.
struct RequestTarget {
    /// `/` if a target in absolute form has none; `*` for the server itself.
    let path: RequestText
    /// The authority of a target in absolute form, which overrides `Host`. `nil` for a path, as nearly all targets are.
    let authority: String?

    private static let scheme = "http://"
    private static let root: StaticString = "/"

    init(_ text: UnsafePointer<CChar>) {
        guard text.pointee != CChar(bitPattern: UInt8(ascii: "/")),
            strncasecmp(text, Self.scheme, Self.scheme.utf8.count) == 0
        else {
            (path, authority) = (RequestText(start: text), nil)
            return
        }
        let start = text + Self.scheme.utf8.count
        let end = start + strcspn(start, "/")
        authority = String(decoding: UnsafeRawBufferPointer(start: start, count: end - start), as: UTF8.self)
        let root = UnsafeRawPointer(Self.root.utf8Start).assumingMemoryBound(to: CChar.self)
        path = RequestText(start: end.pointee == 0 ? root : end)
    }
}
