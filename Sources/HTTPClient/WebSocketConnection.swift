// SPDX-License-Identifier: Apache-2.0
internal import CCurl
internal import CWslay
import Glibc
package import Support

/// A WebSocket (RFC 6455) of libwslay over a connection of libcurl, which brings TLS, proxies and Unix sockets. Text
/// messages only. Used on one thread.
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
    /// Bytes of the head of a response, and of the body of a refusal, that are accepted.
    private static let longestHead = 16_384
    /// The time that the server has for its response to the handshake, and to accept more bytes.
    private static let timeout: Duration = .seconds(10)
    /// The time that the server has for each part of the body of a refusal.
    private static let bodyTimeout: Duration = .milliseconds(500)

    private let transfer: Transfer
    /// Readable when something has come.
    package let descriptor: Int32
    /// When the server sent something last.
    package private(set) var heardAt = ContinuousClock.now
    private var frames: wslay_event_context_ptr?
    /// Bytes that came with the response to the handshake.
    private var early: [UInt8] = []
    /// The messages that `receive` has read.
    private var texts: [String] = []
    /// The bytes that `receive` may still read. A server that sends without end would keep it busy.
    private var allowance = 0
    /// Whether the connection has ended. Messages from before may be unread.
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
        var callbacks = wslay_event_callbacks()
        callbacks.recv_callback = Self.receiveCallback
        callbacks.send_callback = Self.sendCallback
        callbacks.genmask_callback = Self.maskCallback
        callbacks.on_msg_recv_callback = Self.messageCallback
        // Fails only when memory is exhausted, which Swift does not survive either.
        wslay_event_context_client_init(&frames, &callbacks, Unmanaged.passUnretained(self).toOpaque())
        wslay_event_config_set_max_recv_msg_length(frames, UInt64(Self.longestMessage))
        let key = WebSocketKey()
        guard Array(Self.handshake(request, key).utf8).withUnsafeBytes(sendBytes) else { throw .closed }
        try readResponse(to: key)
    }

    deinit { wslay_event_context_free(frames) }

    private static func handshake(_ request: Transfer.Request, _ key: WebSocketKey) -> String {
        let rest = request.url.drop { $0 != "/" }.drop { $0 == "/" }
        let path = rest.drop { $0 != "/" }
        let lines =
            [
                "GET \(path.isEmpty ? "/" : path) HTTP/1.1", "Host: \(rest.prefix { $0 != "/" })",
                "Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Version: 13",
                "Sec-WebSocket-Key: \(key.text)",
            ] + request.fields
        return lines.joined(separator: "\r\n") + "\r\n\r\n"
    }

    private func readResponse(to key: WebSocketKey) throws(Failure) {
        let deadline = ContinuousClock.now + Self.timeout
        var bytes: [UInt8] = []
        let end = Array("\r\n\r\n".utf8)
        // The bytes of the head; 0 until its end has come.
        var head = 0
        while head == 0 {
            let more = bytes.count < Self.longestHead ? awaitBytes(until: deadline) : []
            guard !more.isEmpty else { throw hasEnded ? .closed : .transfer(.timedOut) }
            // The end may have begun in the bytes before.
            let start = max(bytes.count - end.count + 1, 0)
            bytes += more
            head = (start..<bytes.count).first { bytes[$0...].starts(with: end) }.map { $0 + end.count } ?? 0
        }
        let status = String(decoding: bytes.prefix(head), as: UTF8.self).split(separator: " ").dropFirst().first
        guard status == "101" else {
            var body = Array(bytes[head...])
            while body.count < Self.longestHead, body.last != UInt8(ascii: "\n") {
                let more = awaitBytes(until: min(deadline, ContinuousClock.now + Self.bodyTimeout))
                if more.isEmpty { break }
                body += more
            }
            throw .refused(status: status.flatMap { Int($0) } ?? 0, Array(body.prefix(Self.longestHead)))
        }
        guard key.isConfirmed(by: Array(bytes[..<head])) else { throw .unconfirmed }
        early = Array(bytes[head...])
    }

    // MARK: Messages

    package func send(_ text: String) throws(Failure) {
        let bytes = Array(text.utf8)
        let isQueued = bytes.withUnsafeBufferPointer { bytes in
            var message = wslay_event_msg(
                opcode: UInt8(WSLAY_TEXT_FRAME.rawValue),
                msg: bytes.baseAddress,
                msg_length: bytes.count
            )
            return wslay_event_queue_msg(frames, &message) == 0
        }
        guard isQueued, wslay_event_send(frames) == 0 else { throw .closed }
    }

    /// Returns the messages that have come. Does not block. Answers pings.
    ///
    /// - Throws: `.closed` once the connection has ended and its messages were returned.
    package func receive() throws(Failure) -> [String] {
        texts = []
        if !hasEnded {
            allowance = Self.longestMessage
            wslay_event_recv(frames)
            // Pongs, and the close frame after which nothing is read.
            if !hasEnded { hasEnded = wslay_event_send(frames) != 0 || wslay_event_get_read_enabled(frames) == 0 }
        }
        if texts.isEmpty, hasEnded { throw .closed }
        return texts
    }

    // MARK: Callbacks of libwslay

    private static func connection(_ pointer: UnsafeMutableRawPointer?) -> WebSocketConnection? {
        pointer.map { Unmanaged<WebSocketConnection>.fromOpaque($0).takeUnretainedValue() }
    }

    private static let receiveCallback: wslay_event_recv_callback = { context, buffer, space, _, pointer in
        guard let connection = connection(pointer) else { return -1 }
        let count = connection.receiveNext(into: UnsafeMutableRawBufferPointer(start: buffer, count: space))
        let error = connection.hasEnded ? WSLAY_ERR_CALLBACK_FAILURE : WSLAY_ERR_WOULDBLOCK
        wslay_event_set_error(context, Int32(error.rawValue))
        return count > 0 ? count : -1
    }

    private static let sendCallback: wslay_event_send_callback = { context, bytes, count, _, pointer in
        if connection(pointer)?.sendBytes(UnsafeRawBufferPointer(start: bytes, count: count)) == true { return count }
        wslay_event_set_error(context, Int32(WSLAY_ERR_CALLBACK_FAILURE.rawValue))
        return -1
    }

    private static let maskCallback: wslay_event_genmask_callback = { _, mask, count, _ in
        for index in 0..<count { mask?[index] = UInt8.random(in: 0...255) }
        return 0
    }

    private static let messageCallback: wslay_event_on_msg_recv_callback = { _, message, pointer in
        guard let message = message?.pointee, UInt32(message.opcode) == WSLAY_TEXT_FRAME.rawValue else { return }
        let bytes = UnsafeBufferPointer(start: message.msg, count: message.msg_length)
        connection(pointer)?.texts.append(String(decoding: bytes, as: UTF8.self))
    }

    // MARK: Bytes

    /// Sends all bytes; `false` if the connection has ended, or if the server does not accept more.
    private func sendBytes(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var sent = 0
        while sent < bytes.count {
            var count = 0
            let code = ccurl_send(transfer.handle, bytes.baseAddress?.advanced(by: sent), bytes.count - sent, &count)
            let mayGoOn = code == CURLE_OK || (code == CURLE_AGAIN && wait(for: POLLOUT, until: .now + Self.timeout))
            guard mayGoOn else { return false }
            sent += count
        }
        return true
    }

    private func receiveNext(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        if !early.isEmpty {
            let next = early.prefix(buffer.count)
            buffer.copyBytes(from: next)
            early.removeFirst(next.count)
            return next.count
        }
        let count = allowance > 0 ? receiveBytes(into: buffer) : 0
        allowance -= count
        return count
    }

    /// Returns the number of bytes that have come. Notices the end of the connection.
    private func receiveBytes(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        var count = 0
        let code = ccurl_receive(transfer.handle, buffer.baseAddress, buffer.count, &count)
        if code == CURLE_AGAIN { return 0 }
        hasEnded = code != CURLE_OK || count == 0
        if !hasEnded { heardAt = .now }
        return hasEnded ? 0 : count
    }

    /// Waits for bytes; returns none at the end of the connection or of the time.
    private func awaitBytes(until deadline: ContinuousClock.Instant) -> [UInt8] {
        var (buffer, count) = ([UInt8](repeating: 0, count: 16_384), 0)
        repeat {
            count = buffer.withUnsafeMutableBytes { receiveBytes(into: $0) }
        } while count == 0 && !hasEnded && wait(for: POLLIN, until: deadline)
        return Array(buffer.prefix(count))
    }

    private func wait(for event: Int32, until deadline: ContinuousClock.Instant) -> Bool {
        var socket = pollfd(fd: descriptor, events: Int16(event), revents: 0)
        let left = max(deadline - ContinuousClock.now, .zero)
        return poll(&socket, 1, Int32((left / .milliseconds(1)).rounded(.up))) > 0
    }
}

extension WebSocketKey {
    /// Whether the head of a response with the status 101 confirms the key.
    package func isConfirmed(by head: [UInt8]) -> Bool {
        let values = head.split(separator: UInt8(ascii: "\n")).dropFirst().compactMap { line -> String? in
            let line = String(decoding: line, as: UTF8.self)
            guard let colon = line.firstIndex(of: ":"), line[..<colon].lowercased() == "sec-websocket-accept" else {
                return nil
            }
            let value = line[line.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
            return String(value.prefix { !$0.isWhitespace })
        }
        return values == [confirmation]
    }
}
