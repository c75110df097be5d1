// SPDX-License-Identifier: Apache-2.0

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
}
