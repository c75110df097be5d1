// SPDX-License-Identifier: Apache-2.0

/// Why the server itself refuses a request.
package enum RequestFault: Error, Hashable, Sendable {
    /// The request line's target is longer than `RequestLimits.target`.
    case longTarget
    /// The header fields are larger than `RequestLimits.head`.
    case largeHead
    /// The body is larger than `RequestLimits.body`.
    case largeBody
    /// The message has no single meaning: two lengths, a length beside an encoding, two hosts or none, a field
    /// name that is no token. The connection is closed, since nobody can say where the next request begins.
    case ambiguous(String)
    /// It did not come to its end in time. The connection ends with the answer.
    case tooSlow
    /// It asks for a stream, and every descriptor for streams is taken; or the server ends.
    case noRoom
    /// Nobody has read it: there is no room for its connection.
    case noConnection
    /// It asks for a stream, and its client has as many as it may.
    case tooManyStreams
    /// Nobody has read it: its client has as many connections as it may.
    case tooManyConnections
    /// Nobody has read it: its client connects more often than it may.
    case tooManyConnects
}

package enum RequestLimits {
    /// Bytes of the request target, query included.
    static let target = 2_048
    /// Bytes of all header fields together.
    static let head = 8_192
    /// Bytes of a body, or of a message of another protocol that stands for one.
    package static let body = 16_384
    /// A larger body is read and thrown away up to here, so that the client gets its 413 and may go on.
    static let discarded = 4_194_304
    /// libmicrohttpd's memory a connection, zeroed after each request. A head a little over `head` still fits, so that the
    /// refusal is ours and not its HTML page.
    static let connectionMemory = 20_480
}
