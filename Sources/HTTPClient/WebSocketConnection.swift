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
    /// Bytes of the head of an answer, and of the body of a refusal, that are accepted.
    private static let longestHead = 16_384
    /// The time that the server has for its answer to the handshake, and to accept more bytes.
    private static let timeout: Duration = .seconds(10)
    /// The time that the server has for each part of the body of a refusal.
    private static let bodyTimeout: Duration = .milliseconds(500)

    private let transfer: Transfer
    /// Readable when something has come.
    package let descriptor: Int32
    /// When the server sent something last.
    package private(set) var heardAt = ContinuousClock.now
    private var frames = WebSocketFrames(longestMessage: longestMessage)
    /// Whether the server has ended the connection. Messages from before may be unread.
    private var hasEnded = false

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
        let deadline = ContinuousClock.now + Self.timeout
        var bytes: [UInt8] = []
        let end = Array("\r\n\r\n".utf8)
        var head = 0
        while head == 0 {
            guard bytes.count < Self.longestHead, wait(for: POLLIN, until: deadline) else {
                throw .transfer(.timedOut)
            }
            // The end may have begun in the bytes before.
            let start = max(bytes.count - end.count + 1, 0)
            bytes += receiveBytes()
            head = (start..<bytes.count).first { bytes[$0...].starts(with: end) }.map { $0 + end.count } ?? 0
            if head == 0, hasEnded { throw .closed }
        }
        let status = String(decoding: bytes.prefix(head), as: UTF8.self).split(separator: " ").dropFirst().first
        guard status == "101" else {
            var body = Array(bytes[head...])
            while body.count < Self.longestHead, body.last != UInt8(ascii: "\n"), !hasEnded,
                wait(for: POLLIN, until: min(deadline, ContinuousClock.now + Self.bodyTimeout))
            {
                body += receiveBytes()
            }
            throw .refused(status: status.flatMap { Int($0) } ?? 0, Array(body.prefix(Self.longestHead)))
        }
        guard key.isConfirmed(by: Array(bytes[..<head])) else { throw .unconfirmed }
        frames.append(bytes[head...])
    }

    // MARK: Messages

    package func send(_ text: String) throws(Failure) { try send(WebSocketFrames.frame(.text, Array(text.utf8))) }

    /// Returns the messages that have come. Does not block. Answers pings.
    ///
    /// - Throws: `.closed` once the connection has ended and its messages were returned.
    package func receive() throws(Failure) -> [String] {
        if !hasEnded { frames.append(receiveBytes()[...]) }
        var texts: [String] = []
        reading: while let message = frames.next() {
            switch message.opcode {
            case .text: texts.append(String(decoding: message.payload, as: UTF8.self))
            case .ping: reply(.pong, message.payload)
            case .close:
                reply(.close, Array(message.payload.prefix(2)))
                hasEnded = true
                break reading
            case .pong, .binary, .continuation: break
            }
        }
        if frames.isInvalid || texts.isEmpty && hasEnded { throw .closed }
        return texts
    }

    /// Sends a control frame, unless the connection has ended.
    private func reply(_ opcode: WebSocketFrames.Opcode, _ payload: [UInt8]) {
        guard !hasEnded else { return }
        do throws(Failure) {
            try send(WebSocketFrames.frame(opcode, payload))
        } catch {
            hasEnded = true
        }
    }

    // MARK: Bytes

    private func send(_ bytes: [UInt8]) throws(Failure) {
        var rest = bytes[...]
        while !rest.isEmpty {
            var count = 0
            let code = rest.withUnsafeBytes { ccurl_send(transfer.handle, $0.baseAddress, $0.count, &count) }
            if code == CURLE_AGAIN {
                guard wait(for: POLLOUT, until: ContinuousClock.now + Self.timeout) else { throw .closed }
            } else if code != CURLE_OK {
                throw .closed
            }
            rest.removeFirst(count)
        }
    }

    /// Returns what has come; nothing if there is nothing. Notices the end of the connection.
    private func receiveBytes() -> [UInt8] {
        var (bytes, buffer) = ([UInt8](), [UInt8](repeating: 0, count: 16_384))
        while bytes.count < Self.longestMessage {
            var count = 0
            let code = buffer.withUnsafeMutableBytes {
                ccurl_receive(transfer.handle, $0.baseAddress, $0.count, &count)
            }
            if code == CURLE_AGAIN { break }
            guard code == CURLE_OK, count > 0 else {
                hasEnded = true
                break
            }
            bytes += buffer.prefix(count)
            heardAt = .now
        }
        return bytes
    }

    private func wait(for event: Int32, until deadline: ContinuousClock.Instant) -> Bool {
        var socket = pollfd(fd: descriptor, events: Int16(event), revents: 0)
        let left = max(deadline - ContinuousClock.now, .zero)
        return poll(&socket, 1, Int32((left / .milliseconds(1)).rounded(.up))) > 0
    }
}
