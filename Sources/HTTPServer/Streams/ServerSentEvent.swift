// SPDX-License-Identifier: Apache-2.0

/// The bytes of the event stream format (WHATWG HTML, section 9.2) and of the HTTP/1.1 chunks around them.
enum ServerSentEvent {
    static func encode(_ event: Event, skipped: Int = 0) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(event.data.count + 96)
        bytes += "event: \(event.name)\n".utf8
        if let id = event.id { bytes += "id: \(id)\n".utf8 }
        bytes += "data: ".utf8
        if skipped > 0 {
            bytes += event.data.dropLast()
            bytes += ",\"skipped\":\(skipped)}".utf8
        } else {
            bytes += event.data
        }
        bytes += "\n\n".utf8
        return bytes
    }

    /// Tells the client how long to wait before it connects again.
    static func retry(milliseconds: Int) -> [UInt8] { Array("retry: \(milliseconds)\n\n".utf8) }

    static let keepAlive = Array(": keep-alive\n\n".utf8)
}

/// How a stream's bytes are wrapped on its connection.
enum Framing: UInt8 {
    /// HTTP/1.1: every message is one chunk.
    case chunked
    /// HTTP/1.0: the body ends with the connection.
    case plain

    func wrap(_ message: [UInt8]) -> [UInt8] {
        switch self {
        case .plain: message
        case .chunked: Array("\(String(message.count, radix: 16))\r\n".utf8) + message + Array("\r\n".utf8)
        }
    }

    /// Ends the body.
    var end: [UInt8] {
        switch self {
        case .plain: []
        case .chunked: Array("0\r\n\r\n".utf8)
        }
    }
}
