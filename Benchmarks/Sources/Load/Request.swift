// SPDX-License-Identifier: Apache-2.0

/// A request as it goes over the wire, made once and sent many times.
package struct Request: Hashable, Sendable {
    package let bytes: [UInt8]

    /// `body` is JSON, for the methods that have one.
    package init(
        _ method: String,
        _ path: String,
        accept: String = "*/*",
        fields: [(name: String, value: String)] = [],
        body: [UInt8]? = nil
    ) {
        var head = "\(method) \(path) HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: \(accept)\r\n"
        for field in fields { head += "\(field.name): \(field.value)\r\n" }
        if let body {
            head += "Content-Type: application/json\r\nContent-Length: \(body.count)\r\n"
        }
        bytes = Array((head + "\r\n").utf8) + (body ?? [])
    }
}
