// SPDX-License-Identifier: Apache-2.0
internal import CCurl
import Glibc
import Support

/// A WebSocket (RFC 6455) over a connection of libcurl, which brings TLS, proxies and Unix sockets. Text messages only.
/// Used on one thread.
package final class WebSocketConnection {
    /// Why there is no WebSocket.
    package enum Failure: Error, Equatable {
        case transfer(TransferFailure)
        /// The server answered with another status than 101, and this body.
        case refused(status: Int, [UInt8])
        /// The server answered with the status 101, and does not confirm the key.
        case unconfirmed
        /// The connection has ended.
        case closed
    }

    /// Bytes of a message that are accepted.
    private static let longestMessage = 1 << 20
    private static let longestHead = 16_384
    /// Milliseconds that the server has for its answer to the handshake.
    private static let handshakeLimit: Int32 = 10_000

    private let transfer: Transfer
    /// Readable when something has come.
    package let descriptor: Int32
    /// When the server sent something last.
    package private(set) var heardAt = ContinuousClock.now
    private var frames = WebSocketFrames(longestMessage: longestMessage)

    /// Connects and upgrades the connection. Blocks for at most 15 seconds.
    ///
    /// - Parameter request: The URL, with `http` or `https`, and the header fields.
    package init(_ request: Transfer.Request) throws(Failure) {
        var connect = request
        connect.connectsOnly = true
        (connect.fields, connect.body) = ([], nil)
        do throws(TransferFailure) {
            transfer = try Transfer(connect)
            _ = try transfer.perform()
        } catch {
            throw .transfer(error)
        }
        descriptor = ccurl_socket(transfer.handle)
        guard descriptor >= 0 else { throw .closed }
        let key = WebSocketKey()
        try send(Array(Self.handshake(request, key).utf8))
        try readAnswer(to: key)
    }

    private static func handshake(_ request: Transfer.Request, _ key: WebSocketKey) -> String {
        let place = request.url.drop { $0 != "/" }.drop { $0 == "/" }
        let path = place.drop { $0 != "/" }
        let lines =
            [
                "GET \(path.isEmpty ? "/" : path) HTTP/1.1", "Host: \(place.prefix { $0 != "/" })",
                "Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Version: 13",
                "Sec-WebSocket-Key: \(key.text)",
            ] + request.fields
        return lines.joined(separator: "\r\n") + "\r\n\r\n"
    }

    /// Reads the head of the answer.
    private func readAnswer(to key: WebSocketKey) throws(Failure) {
        var bytes: [UInt8] = []
        let end = Array("\r\n\r\n".utf8)
        var head = 0
        while head == 0 {
            guard wait(for: POLLIN, atMost: Self.handshakeLimit), bytes.count < Self.longestHead else {
                throw .transfer(.timedOut)
            }
            bytes += try receiveBytes()
            head = bytes.indices.first { bytes[$0...].starts(with: end) }.map { $0 + end.count } ?? 0
        }
        let status = String(decoding: bytes.prefix(head), as: UTF8.self).split(separator: " ").dropFirst().first
        guard status == "101" else {
            var body = Array(bytes[head...])
            while body.last != UInt8(ascii: "\n"), wait(for: POLLIN, atMost: 500), let more = try? receiveBytes() {
                body += more
            }
            throw .refused(status: status.flatMap { Int($0) } ?? 0, body)
        }
        guard key.isConfirmed(by: Array(bytes[..<head])) else { throw .unconfirmed }
        frames.append(bytes[head...])
    }

    // MARK: Messages

    package func send(_ text: String) throws(Failure) { try send(WebSocketFrames.frame(.text, Array(text.utf8))) }

    /// Returns the messages that have come. Does not block. Answers pings.
    package func receive() throws(Failure) -> [String] {
        frames.append(try receiveBytes()[...])
        var texts: [String] = []
        while let message = frames.next() {
            switch message.opcode {
            case .text: texts.append(String(decoding: message.payload, as: UTF8.self))
            case .ping: try send(WebSocketFrames.frame(.pong, message.payload))
            case .close:
                try send(WebSocketFrames.frame(.close, Array(message.payload.prefix(2))))
                throw .closed
            case .pong, .binary, .continuation: break
            }
        }
        if frames.isInvalid { throw .closed }
        return texts
    }

    // MARK: Bytes

    private func send(_ bytes: [UInt8]) throws(Failure) {
        var rest = bytes[...]
        while !rest.isEmpty {
            var count = 0
            let code = rest.withUnsafeBytes { ccurl_send(transfer.handle, $0.baseAddress, $0.count, &count) }
            if code == CURLE_AGAIN {
                guard wait(for: POLLOUT, atMost: Self.handshakeLimit) else { throw .closed }
            } else if code != CURLE_OK {
                throw .closed
            }
            rest.removeFirst(count)
        }
    }

    /// Returns what has come; nothing if there is nothing.
    private func receiveBytes() throws(Failure) -> [UInt8] {
        var (bytes, buffer) = ([UInt8](), [UInt8](repeating: 0, count: 16_384))
        while bytes.count < Self.longestMessage {
            var count = 0
            let code = buffer.withUnsafeMutableBytes {
                ccurl_receive(transfer.handle, $0.baseAddress, $0.count, &count)
            }
            if code == CURLE_AGAIN { break }
            guard code == CURLE_OK, count > 0 else { throw .closed }
            bytes += buffer.prefix(count)
            heardAt = .now
        }
        return bytes
    }

    private func wait(for event: Int32, atMost milliseconds: Int32) -> Bool {
        var socket = pollfd(fd: descriptor, events: Int16(event), revents: 0)
        return poll(&socket, 1, milliseconds) > 0
    }
}
