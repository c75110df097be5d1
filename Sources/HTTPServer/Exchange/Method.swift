// SPDX-License-Identifier: Apache-2.0
import Glibc

/// A request method. `other` is everything this server has no use for.
package enum Method: String, Hashable, Sendable, CaseIterable {
    case get = "GET"
    case head = "HEAD"
    case post = "POST"
    case put = "PUT"
    case patch = "PATCH"
    case delete = "DELETE"
    case options = "OPTIONS"
    case other = ""

    /// Reads the name as libmicrohttpd hands it over.
    init(_ name: UnsafePointer<CChar>) {
        self = strcmp(name, "GET") == 0 ? .get : Method(rawValue: String(cString: name)) ?? .other
    }
}
