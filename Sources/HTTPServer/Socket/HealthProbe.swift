// SPDX-License-Identifier: Apache-2.0
import Glibc

/// Asks a server of this machine whether it answers: one GET, the status of the answer.
package enum HealthProbe {
    /// Returns `nil` if nobody answers in time, or not in HTTP. Blocks.
    ///
    /// - Parameter address: Where the server listens; "every interface" is asked on loopback.
    package static func status(of path: String, at address: ListenAddress, within limit: Duration) -> Int? {
        let asked = address.reachable
        guard let target = asked.socketAddress else { return nil }
        let socket = Glibc.socket(target.family, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard socket >= 0 else { return nil }
        defer { close(socket) }
        var patience = timeval(tv_sec: Int(limit.components.seconds), tv_usec: 0)
        for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
            setsockopt(socket, SOL_SOCKET, option, &patience, socklen_t(MemoryLayout<timeval>.size))
        }
        guard target.withPointer({ connect(socket, $0, $1) }) == 0 else { return nil }
        let request = Array("GET \(path) HTTP/1.1\r\nHost: \(asked)\r\nConnection: close\r\n\r\n".utf8)
        guard send(socket, request, request.count, TransferFlags.quietly) == request.count else { return nil }
        return status(in: answer(on: socket))
    }

    /// The first bytes of the answer: enough for a status line.
    private static func answer(on socket: Int32) -> [UInt8] {
        var answer = [UInt8](repeating: 0, count: 64)
        var count = 0
        while count < answer.count {
            let free = answer.count - count
            let received = answer.withUnsafeMutableBytes { recv(socket, $0.baseAddress?.advanced(by: count), free, 0) }
            guard received > 0 else { break }
            count += received
        }
        return Array(answer.prefix(count))
    }

    private static func status(in answer: [UInt8]) -> Int? {
        let words = answer.split(separator: UInt8(ascii: " "), maxSplits: 2)
        guard words.count == 3, words[0].starts(with: "HTTP/1.".utf8) else { return nil }
        return Int(String(decoding: words[1], as: UTF8.self))
    }
}

extension ListenAddress {
    /// Where a client of the same machine reaches it.
    package var reachable: ListenAddress {
        switch host {
        case "0.0.0.0": ListenAddress(host: "127.0.0.1", port: port)
        case "::": ListenAddress(host: "::1", port: port)
        default: self
        }
    }
}
