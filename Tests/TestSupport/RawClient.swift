// SPDX-License-Identifier: Apache-2.0
import Glibc
package import HTTPServer

/// A blocking client that sends and receives raw bytes.
package final class RawClient: @unchecked Sendable {  // one descriptor that never changes
    package enum Failure: Error {
        case noConnectionCapacity(Int32)
        case nothingCame(soFar: String)
    }

    private let socket: Int32

    /// - Parameter receiveBuffer: Bytes that the kernel buffers for the client; a small buffer fills up soon.
    package init(_ address: ListenAddress, receiveBuffer: Int32? = nil) throws {
        socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        if var receiveBuffer {
            setsockopt(socket, SOL_SOCKET, SO_RCVBUF, &receiveBuffer, socklen_t(MemoryLayout<Int32>.size))
        }
        var timeout = timeval(tv_sec: 10, tv_usec: 0)
        setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
        var target = sockaddr_in()
        target.sin_family = sa_family_t(AF_INET)
        target.sin_port = address.port.bigEndian
        target.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let code = withUnsafePointer(to: &target) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard code == 0 else { throw Failure.noConnectionCapacity(errno) }
    }

    deinit { close(socket) }

    package func send(_ text: String) { send(Array(text.utf8)) }

    package func send(_ bytes: [UInt8]) {
        Glibc.send(socket, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    }

    /// Sends a GET of HTTP/1.1 with the required fields.
    package func get(_ path: String, version: String = "1.1") {
        send("GET \(path) HTTP/\(version)\r\nHost: 127.0.0.1\r\n\r\n")
    }

    /// Requests a WebSocket, and sends `early` in the same packet.
    package func upgrade(_ path: String = "/ws", early: [UInt8] = []) {
        let head = """
            GET \(path) HTTP/1.1\r
            Host: 127.0.0.1\r
            Connection: Upgrade\r
            Upgrade: websocket\r
            Sec-WebSocket-Version: 13\r
            Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r
            \r

            """
        send(Array(head.utf8) + early)
    }

    /// Receives until the bytes contain `mark`. Returns all of them.
    package func receive(until mark: String) throws -> String {
        var received = ""
        while !received.contains(mark) {
            guard let more = receiveSome(), !more.isEmpty else { throw Failure.nothingCame(soFar: received) }
            received += more
        }
        return received
    }

    /// Receives until the event that contains `text` is complete and no partial event follows.
    package func receiveEvent(containing text: String) throws -> String {
        var received = ""
        while !(received.contains(text) && received.hasSuffix("\n\n\r\n")) {
            guard let more = receiveSome(), !more.isEmpty else { throw Failure.nothingCame(soFar: received) }
            received += more
        }
        return received
    }

    /// Receives until the server closes the connection.
    package func receiveAll() throws -> String {
        // A character may come in two parts.
        var received: [UInt8] = []
        while true {
            guard let more = receiveBytes() else {
                throw Failure.nothingCame(soFar: String(decoding: received, as: UTF8.self))
            }
            if more.isEmpty { return String(decoding: received, as: UTF8.self) }
            received += more
        }
    }

    /// Sends a byte five times a second until the server closes the connection or none is left. Returns all received
    /// bytes.
    package func trickle(_ text: String) throws -> String {
        for byte in text.utf8 {
            send([byte])
            var sign = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
            if poll(&sign, 1, 200) > 0 { break }
        }
        return try receiveAll()
    }

    /// Shuts down the sending side.
    package func halfClose() { shutdown(socket, Int32(SHUT_WR)) }

    /// Receives once. Returns `""` at the end of the connection, `nil` after the timeout.
    private func receiveSome() -> String? { receiveBytes().map { String(decoding: $0, as: UTF8.self) } }

    private func receiveBytes() -> [UInt8]? {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let count = recv(socket, &buffer, buffer.count, 0)
        if count < 0 { return errno == ECONNRESET ? [] : nil }
        return Array(buffer.prefix(count))
    }
}
