// SPDX-License-Identifier: Apache-2.0
internal import CMicroHTTPD

/// A request, as its handler sees it: complete, with its body.
///
/// A view of libmicrohttpd's connection: valid only during `Application.reply`, on the shard's thread.
package struct Request {
    package let method: Method
    /// Percent-decoded, without the query.
    package let path: String
    package let body: [UInt8]
    package let isHTTP10: Bool
    let connection: OpaquePointer

    /// A header field's value, the first of that name. Names are compared without case.
    package func header(_ name: StaticString) -> String? {
        value(of: name, kind: .HEADER_KIND)
    }

    /// A query parameter, percent-decoded, the first of that name; `""` for one without a value.
    package func query(_ name: StaticString) -> String? {
        queries(name).first
    }

    /// All query parameters of a name, in order.
    package func queries(_ name: StaticString) -> [String] {
        var found = Found(name: name)
        withUnsafeMutablePointer(to: &found) { found in
            _ = MHD_get_connection_values(connection, .GET_ARGUMENT_KIND, Found.collect, found)
        }
        return found.values
    }

    private func value(of name: StaticString, kind: MHD_ValueKind) -> String? {
        let value = name.withUTF8Buffer { name in
            name.withMemoryRebound(to: CChar.self) { MHD_lookup_connection_value(connection, kind, $0.baseAddress) }
        }
        return value.map { String(cString: $0) }
    }

    private struct Found {
        let name: StaticString
        var values: [String] = []

        static let collect: MHD_KeyValueIterator = { context, _, key, value in
            let found = context?.assumingMemoryBound(to: Found.self)
            guard let found, let key else { return .NO }
            if String(cString: key) == found.pointee.name.description {
                found.pointee.values.append(value.map { String(cString: $0) } ?? "")
            }
            return .YES
        }
    }
}
