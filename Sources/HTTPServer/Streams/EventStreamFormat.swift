// SPDX-License-Identifier: Apache-2.0

/// The event stream format (WHATWG HTML, section 9.2) in the body of a response.
struct EventStreamFormat: StreamFormat {
    /// Whether each message is one chunk, as over HTTP/1.1. Over HTTP/1.0 the body ends with the connection.
    let isChunked: Bool

    func encode(_ event: Event, _ data: [UInt8]) -> [UInt8] { wrap(ServerSentEvent.encode(event, data)) }

    /// `retry:` is two seconds plus or minus a quarter, so that clients do not all reconnect at once.
    var greeting: [UInt8] { wrap(ServerSentEvent.retry(milliseconds: .random(in: 1_500...2_500))) }

    var keepAlive: [UInt8] { wrap(ServerSentEvent.keepAlive) }

    /// Asks the client to reconnect after one to five seconds, and ends the body.
    var farewell: [UInt8] { wrap(ServerSentEvent.retry(milliseconds: .random(in: 1_000...5_000))) + end }

    var revocation: [UInt8] { farewell }

    private func wrap(_ message: [UInt8]) -> [UInt8] {
        guard isChunked else { return message }
        return Array("\(String(message.count, radix: 16))\r\n".utf8) + message + Array("\r\n".utf8)
    }

    private var end: [UInt8] { isChunked ? Array("0\r\n\r\n".utf8) : [] }
}

/// The messages of an event stream, without the framing of the body.
enum ServerSentEvent {
    static func encode(_ event: Event, _ data: [UInt8]) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(data.count + 96)
        bytes += "event: \(event.name)\n".utf8
        if let id = event.id { bytes += "id: \(id)\n".utf8 }
        bytes += "data: ".utf8
        bytes += data
        bytes += "\n\n".utf8
        return bytes
    }

    /// Asks the client to wait this long before it reconnects.
    static func retry(milliseconds: Int) -> [UInt8] { Array("retry: \(milliseconds)\n\n".utf8) }

    static let keepAlive = Array(": keep-alive\n\n".utf8)
}
