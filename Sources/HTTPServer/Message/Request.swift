// SPDX-License-Identifier: Apache-2.0
internal import CMicroHTTPD
import Glibc

/// A complete request with its body.
///
/// A view of libmicrohttpd's connection: valid only during `Application.reply`, on the shard's thread.
package struct Request {
    package let method: Method
    /// Percent-decoded, without the query.
    package let pathText: RequestText
    /// The authority of a target in absolute form; `nil` for other targets.
    package let authority: String?
    package let body: [UInt8]
    let isHTTP10: Bool
    let connection: OpaquePointer
    /// The header fields that most requests need, without a search.
    package let frequent: FrequentFields

    /// - Parameter frequent: The frequent fields of this request's head; `nil` to look them up.
    init(
        method: Method,
        target: RequestTarget,
        body: [UInt8],
        isHTTP10: Bool,
        connection: OpaquePointer,
        frequent: FrequentFields?
    ) {
        self.method = method
        pathText = target.path
        authority = target.authority
        self.body = body
        self.isHTTP10 = isHTTP10
        self.connection = connection
        self.frequent = frequent ?? FrequentFields(of: connection)
    }

    package var path: String { pathText.string }

    /// The host that the request addresses, with its port: the authority of a target in absolute form, else the field
    /// `Host` (RFC 9112, section 3.2.2).
    package var host: String? { authority ?? frequent.host?.value }

    /// The address under which the client's requests are counted.
    package var client: ClientAddress { ClientAddress(cmhd_client(connection), on: cmhd_socket(connection)) }

    /// The user at the other end of a Unix socket, and their role for its file; `nil` over another kind of socket.
    package var localUser: (number: UInt32, role: SocketFileRole)? {
        guard ClientAddress.isLocal(cmhd_client(connection)) else { return nil }
        let socket = cmhd_socket(connection)
        return LocalClient(on: socket).map { ($0.user, $0.role(forFileAt: SocketAddress(of: socket)?.path)) }
    }

    /// Returns the first value of a header field. Names are compared without case.
    package func header(_ name: StaticString) -> String? { Self.headerText(name, of: connection)?.value }

    /// Returns the value of a header field that is a list: its lines, joined by commas (RFC 9110, section 5.3).
    package func list(_ name: StaticString) -> String? {
        guard Self.headerText(name, of: connection) != nil else { return nil }
        return Self.lines(of: name, on: connection).joined(separator: ", ")
    }

    fileprivate static func headerText(_ name: StaticString, of connection: OpaquePointer) -> RequestText? {
        name.withUTF8Buffer { name in
            name.withMemoryRebound(to: CChar.self) {
                MHD_lookup_connection_value(connection, .HEADER_KIND, $0.baseAddress).map { RequestText(start: $0) }
            }
        }
    }

    /// Returns the first query parameter of this name, percent-decoded; `""` for one without a value.
    package func query(_ name: StaticString) -> String? {
        hasQuery ? queries(name).first : nil
    }

    /// Returns all query parameters of a name, in order.
    package func queries(_ name: StaticString) -> [String] {
        Self.texts(of: .GET_ARGUMENT_KIND, on: connection) { key, value in
            guard String(cString: key) == name.description else { return nil }
            return value.map { String(cString: $0) } ?? ""
        }
    }

    package var hasQuery: Bool { MHD_get_connection_values(connection, .GET_ARGUMENT_KIND, nil, nil) > 0 }

    /// The names of the query's parameters, in order.
    package var queryNames: [String] {
        Self.texts(of: .GET_ARGUMENT_KIND, on: connection) { key, _ in String(cString: key) }
    }

    /// Returns the lines of a header field.
    fileprivate static func lines(of name: StaticString, on connection: OpaquePointer) -> [String] {
        texts(of: .HEADER_KIND, on: connection) { key, value in
            let isMeant = name.withUTF8Buffer { name in
                name.withMemoryRebound(to: CChar.self) { $0.baseAddress.map { strcasecmp($0, key) == 0 } ?? false }
            }
            return isMeant ? value.map { RequestText(start: $0).value } : nil
        }
    }

    /// Returns the text of a name and a value; `nil` leaves them out.
    private typealias Text = (UnsafePointer<CChar>, UnsafePointer<CChar>?) -> String?

    /// Returns the texts that `text` makes of the fields or parameters, in order.
    private static func texts(
        of kind: MHD_ValueKind,
        on connection: OpaquePointer,
        _ text: @escaping Text
    ) -> [String] {
        var found = Found(text: text)
        withUnsafeMutablePointer(to: &found) { found in
            _ = MHD_get_connection_values(connection, kind, Found.collect, found)
        }
        return found.texts
    }

    private struct Found {
        let text: Text
        var texts: [String] = []

        static let collect: MHD_KeyValueIterator = { context, _, key, value in
            let found = context?.assumingMemoryBound(to: Found.self)
            guard let found, let key else { return .NO }
            if let text = found.pointee.text(key, value) { found.pointee.texts.append(text) }
            return .YES
        }
    }
}

/// The header fields that nearly every request needs, the first of each name.
package struct FrequentFields {
    package internal(set) var host, origin, accept, ifNoneMatch: RequestText?
    /// Whether `Accept` has more than one line.
    package internal(set) var hasMoreAccept = false

    /// Creates an empty value.
    init() {}

    /// Looks each of them up among all header fields.
    init(of connection: OpaquePointer) {
        host = Request.headerText("Host", of: connection)
        origin = Request.headerText("Origin", of: connection)
        accept = Request.headerText("Accept", of: connection)
        ifNoneMatch = Request.headerText("If-None-Match", of: connection)
        hasMoreAccept = Request.lines(of: "Accept", on: connection).count > 1
    }
}
