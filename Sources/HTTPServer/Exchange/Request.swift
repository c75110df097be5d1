// SPDX-License-Identifier: Apache-2.0
internal import CMicroHTTPD

/// A request, as its handler sees it: complete, with its body.
///
/// A view of libmicrohttpd's connection: valid only during `Application.reply`, on the shard's thread.
package struct Request {
    package let method: Method
    /// Percent-decoded, without the query.
    package let pathText: RequestText
    package let body: [UInt8]
    package let isHTTP10: Bool
    let connection: OpaquePointer

    package var path: String { pathText.string }

    /// A header field's value, the first of that name. Names are compared without case.
    package func header(_ name: StaticString) -> String? { headerText(name)?.string }

    package func headerText(_ name: StaticString) -> RequestText? {
        name.withUTF8Buffer { name in
            name.withMemoryRebound(to: CChar.self) {
                MHD_lookup_connection_value(connection, .HEADER_KIND, $0.baseAddress).map { RequestText(start: $0) }
            }
        }
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
