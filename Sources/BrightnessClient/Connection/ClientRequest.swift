// SPDX-License-Identifier: Apache-2.0
package import BrightnessCore

/// One request to the daemon.
package struct ClientRequest: Equatable, Sendable {
    package let method: String
    /// Path and query, percent-encoded.
    package let path: String
    /// JSON text; requests that change something have one.
    package let body: String?
}

extension ClientRequest {
    /// - Parameter write: Writes the members of the body.
    package init(_ method: String, _ path: String, _ write: ((inout JSONWriter) -> Void)? = nil) {
        let body = write.map { String(decoding: JSONWriter.object($0), as: UTF8.self) }
        self.init(method: method, path: path, body: body)
    }
}
