// SPDX-License-Identifier: Apache-2.0

/// The reason for which the server itself rejects a request.
package enum RequestError: Error, Hashable, Sendable {
    /// The request line's target is longer than `RequestLimits.target`.
    case longTarget
    /// A segment of the path has an escaped slash, which no resource has. Unescaped, it would be another path.
    case escapedSlash
    /// The header fields are larger than `RequestLimits.head`.
    case largeHead
    case largeBody(limit: Int)
    /// The message is ambiguous: two lengths, a length and an encoding, several hosts or none, or a field name that is
    /// not a token. The connection is closed, since the start of the next request is unknown.
    case ambiguous(String)
    /// The request did not arrive in time. The connection ends after the response.
    case tooSlow
    /// No descriptor is free for another stream, or the server stops.
    case noStreamCapacity
    /// The server has no capacity for the connection. The request was not read.
    case noConnectionCapacity
    case tooManyStreams(limit: Int)
    /// The client is at its limit of connections. The request was not read.
    case tooManyConnections(limit: Int)
    /// The client is over its limit of new connections per second. The request was not read.
    case tooManyConnects(perSecond: Int)
}

package enum RequestLimits {
    /// Bytes of the request target, query included.
    static let target = 2_048
    /// Bytes of all header fields together.
    static let head = 8_192
    /// Bytes of a body, or of a WebSocket message.
    package static let body = 16_384
    /// A larger body is read and discarded up to this size, so that the client receives its 413 and can continue.
    static let discarded = 4_194_304
    /// Bytes of libmicrohttpd's memory per connection, zeroed after each request.
    ///
    /// The longest target and twice the longest fields fit, since libmicrohttpd copies the field Cookie. So does a head
    /// slightly over `head`: the server sends the rejection, and not libmicrohttpd its HTML page.
    static let connectionMemory = 20_480
}
