// SPDX-License-Identifier: Apache-2.0
import Glibc
import HTTPClient
import Support
import Synchronization
import Testing

/// Connections to a server whose bytes the test writes.
@Suite(.timeLimit(.minutes(10)))
struct WebSocketConnectionTests {
    /// A server that answers the handshake of one client.
    private final class Server: Sendable {
        private let listener: Int32
        private let port: UInt16
        private let client = Mutex<Int32>(-1)
        private let isAnswered = Latch()

        /// - Parameter answer: Returns the answer to a handshake with this key.
        init(_ answer: @escaping @Sendable (WebSocketKey) -> [UInt8]) throws {
            let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
            var timeout = timeval(tv_sec: 10, tv_usec: 0)
            setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
            withUnsafeMutablePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
                    Glibc.bind(socket, pointer, size)
                    Glibc.listen(socket, 1)
                    getsockname(socket, pointer, &size)
                }
            }
            listener = socket
            port = UInt16(bigEndian: address.sin_port)
            try Thread.start(named: "server") { self.serve(answer) }
        }

        deinit {
            Glibc.close(listener)
            end()
        }

        var request: Transfer.Request {
            var request = Transfer.Request("http://127.0.0.1:\(port)/v1/ws")
            request.usesProxy = false
            return request
        }

        private func serve(_ answer: (WebSocketKey) -> [UInt8]) {
            let socket = Glibc.accept(listener, nil, nil)
            var head = ""
            var buffer = [UInt8](repeating: 0, count: 4_096)
            while !head.contains("\r\n\r\n") {
                let count = recv(socket, &buffer, buffer.count, 0)
                guard count > 0 else { break }
                head += String(decoding: buffer.prefix(count), as: UTF8.self)
            }
            let name = "Sec-WebSocket-Key: "
            let line = head.split(whereSeparator: \.isNewline).first { $0.hasPrefix(name) }
            let bytes = answer(WebSocketKey(text: String((line ?? "").dropFirst(name.count))))
            Glibc.send(socket, bytes, bytes.count, Int32(MSG_NOSIGNAL))
            client.withLock { $0 = socket }
            isAnswered.release()
        }

        func send(_ bytes: [UInt8]) {
            isAnswered.wait()
            client.withLock { _ = Glibc.send($0, bytes, bytes.count, Int32(MSG_NOSIGNAL)) }
        }

        /// Ends the connection.
        func end() {
            client.withLock { socket in
                if socket >= 0 { Glibc.close(socket) }
                socket = -1
            }
        }
    }

    private static func upgrade(_ key: WebSocketKey) -> [UInt8] {
        Array("HTTP/1.1 101 Switching Protocols\r\nSec-WebSocket-Accept: \(key.confirmation)\r\n\r\n".utf8)
    }

    private func waitForBytes(_ connection: WebSocketConnection) {
        var socket = pollfd(fd: connection.descriptor, events: Int16(POLLIN), revents: 0)
        poll(&socket, 1, 10_000)
    }

    /// - Parameter last: The frames after the message: none, a ping, a close, or both.
    @Test(arguments: [[], [0x89, 0], [0x88, 0], [0x89, 0, 0x88, 2, 0x03, 0xE8]] as [[UInt8]])
    func `messages that arrive with the end of the connection are received`(last: [UInt8]) throws {
        let server = try Server { Self.upgrade($0) }
        let connection = try WebSocketConnection(server.request)
        server.send([0x81, 3] + Array("bye".utf8) + last)
        server.end()
        waitForBytes(connection)
        #expect(try connection.receive() == ["bye"])
        waitForBytes(connection)
        #expect(throws: WebSocketConnection.Failure.closed) { try connection.receive() }
    }

    @Test func `messages are complete in any pieces, with a ping between the frames of one`() throws {
        let server = try Server { Self.upgrade($0) + [0x01, 2, 0x61] }
        let connection = try WebSocketConnection(server.request)
        for byte: UInt8 in [0x62, 0x89, 1, 0x70, 0x80, 1, 0x63, 0x81, 0] { server.send([byte]) }
        var messages: [String] = []
        while messages.count < 2 {
            messages += try connection.receive()
            if messages.count < 2 { waitForBytes(connection) }
        }
        #expect(messages == ["abc", ""])
    }

    /// A mask, a reserved bit, an opcode, parts without a beginning and without an end, a control frame in parts and a
    /// long one, lengths, and bytes that are not UTF-8.
    @Test(
        arguments: [
            [0x81, 0x80, 0, 0, 0, 0], [0xC1, 0], [0x83, 0], [0x80, 0], [0x01, 0, 0x81, 0], [0x09, 0],
            [0x89, 126, 0, 126], [0x81, 127, 0, 0, 0, 1, 0, 0, 0, 0],
            [0x81, 127, 255, 255, 255, 255, 255, 255, 255, 255], [0x81, 2, 0xC3, 0x28],
        ] as [[UInt8]]
    )
    func `a server that breaks the protocol ends the connection`(bytes: [UInt8]) throws {
        let server = try Server { Self.upgrade($0) }
        let connection = try WebSocketConnection(server.request)
        server.send(bytes + [UInt8](repeating: 0, count: 126))
        #expect(throws: WebSocketConnection.Failure.closed) {
            while true {
                waitForBytes(connection)
                let messages = try connection.receive()
                #expect(messages.isEmpty)
            }
        }
    }

    @Test func `at most 16 KiB of the body of a refusal are read`() throws {
        let server = try Server { _ in
            Array("HTTP/1.1 403 Forbidden\r\n\r\n".utf8) + [UInt8](repeating: 0x61, count: 100_000)
        }
        let body = [UInt8](repeating: 0x61, count: 16_384)
        #expect(throws: WebSocketConnection.Failure.refused(status: 403, body)) {
            try WebSocketConnection(server.request)
        }
    }
}
