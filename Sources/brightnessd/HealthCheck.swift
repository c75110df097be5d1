// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import DaemonRuntime
import Glibc
import HTTPServer

struct HealthCheck: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "healthcheck",
        abstract: "Checks whether the daemon on this machine answers. Exits with 0 if it does, else with 1.",
        discussion: "For container health checks and scripts on machines without curl."
    )

    @Option(.listen, "The address of the daemon.") var listen: String?

    @Flag(help: "Check readiness: whether all displays are available.")
    var ready = false

    func run() throws {
        let address = try value(of: .listen, listen) { ListenAddress($0) } ?? Settings.defaultAddress
        let path = ready ? "/readyz" : "/livez"
        switch HealthProbe.status(of: path, at: address, within: .seconds(3)) {
        case 200?: return
        case let status?: print("http://\(address.reachable)\(path) answered \(status)")
        case nil: print("no answer from http://\(address.reachable)\(path)")
        }
        throw ExitCode.failure
    }
}

/// An HTTP client for one GET to a server of this machine.
private enum HealthProbe {
    /// Returns the status of the response, or `nil` if none arrives in time. Blocks.
    ///
    /// - Parameter address: An address of every interface is replaced by loopback.
    static func status(of path: String, at address: ListenAddress, within limit: Duration) -> Int? {
        let asked = address.reachable
        guard let target = asked.socketAddress else { return nil }
        let socket = Glibc.socket(target.family, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard socket >= 0 else { return nil }
        defer { close(socket) }
        var timeout = timeval(tv_sec: Int(limit.components.seconds), tv_usec: 0)
        for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
            setsockopt(socket, SOL_SOCKET, option, &timeout, socklen_t(MemoryLayout<timeval>.size))
        }
        guard target.withPointer({ connect(socket, $0, $1) }) == 0 else { return nil }
        let request = Array("GET \(path) HTTP/1.1\r\nHost: \(asked)\r\nConnection: close\r\n\r\n".utf8)
        guard send(socket, request, request.count, Int32(MSG_NOSIGNAL)) == request.count else { return nil }
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
