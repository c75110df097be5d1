// SPDX-License-Identifier: Apache-2.0

/// How events go over a connection.
enum Framing: UInt8, CaseIterable {
    /// An event stream over HTTP/1.1: every message is one chunk.
    case chunked
    /// An event stream over HTTP/1.0: the body ends with the connection.
    case plain
    /// A WebSocket: every message is one text frame, an event is a JSON-RPC notification.
    case webSocket

    /// - Parameter skipped: How many events this one stands for beside itself.
    func encode(_ event: Event, skipped: Int = 0) -> [UInt8] {
        switch self {
        case .chunked, .plain: wrap(ServerSentEvent.encode(event, skipped: skipped))
        case .webSocket: Frame.encode(.text, Self.notification(event, skipped: skipped))
        }
    }

    /// JSON-RPC 2.0, section 4.1.
    private static func notification(_ event: Event, skipped: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(event.data.count + 80)
        bytes += "{\"jsonrpc\":\"2.0\",\"method\":\"\(event.name)\",\"params\":".utf8
        bytes += event.data(skipped: skipped)
        bytes.append(UInt8(ascii: "}"))
        return bytes
    }

    /// What comes before the first event. `retry:` is spread by a quarter around two seconds, so that not all come back
    /// at the same moment.
    var greeting: [UInt8] {
        self == .webSocket ? [] : wrap(ServerSentEvent.retry(milliseconds: .random(in: 1_500...2_500)))
    }

    /// Keeps a silent connection from being taken for a dead one.
    var keepAlive: [UInt8] { self == .webSocket ? Frame.encode(.ping) : wrap(ServerSentEvent.keepAlive) }

    /// What comes last when the server stops. A stream is to come back after one to five seconds.
    var farewell: [UInt8] {
        switch self {
        case .chunked, .plain: wrap(ServerSentEvent.retry(milliseconds: .random(in: 1_000...5_000))) + end
        case .webSocket: Frame.close(.goingAway)
        }
    }

    private func wrap(_ message: [UInt8]) -> [UInt8] {
        guard self == .chunked else { return message }
        return Array("\(String(message.count, radix: 16))\r\n".utf8) + message + Array("\r\n".utf8)
    }

    /// Ends the body.
    private var end: [UInt8] { self == .chunked ? Array("0\r\n\r\n".utf8) : [] }
}
