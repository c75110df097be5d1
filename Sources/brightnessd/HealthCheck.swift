// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import DaemonRuntime
import Glibc
import HTTPServer

struct HealthCheck: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "healthcheck",
        abstract: "Checks whether the daemon on this machine answers, or is ready. Exits with 0 if so, else with 1.",
        discussion: "For container health checks and scripts on machines without curl."
    )

    @Option(DaemonOptions.declared.listen.entry, "The address of the daemon.") var listen: String?

    @Option(help: ArgumentHelp("The daemon's Unix socket, instead of its address.", valueName: "path"))
    var unix: String?

    @Flag(help: "Check readiness: whether all displays are available.")
    var ready = false

    @Flag(help: "Print the report of the readiness check, also when the daemon is ready. Implies --ready.")
    var json = false

    func run() throws {
        let address = try DaemonOptions.declared.listen.value(given: listen)
        let path = ready || json ? "/readyz" : "/livez"
        let target = unix.map { SocketAddress(path: $0) } ?? address.reachable.socketAddress
        let url = unix.map { "\($0)\(path)" } ?? "http://\(address.reachable)\(path)"
        guard let target, let answer = HealthProbe.answer(to: path, at: target, within: .seconds(3)) else {
            print(
                "no answer from \(url) within 3 s: is brightnessd running there? --listen and --unix name another place"
            )
            throw ExitCode.failure
        }
        if json { print(answer.body) }
        if answer.status == 200 { return }
        // The answer to the readiness check names the displays that are not available.
        if !json { print("\(url) answered \(answer.status)\(answer.body.isEmpty ? "" : ": \(answer.body)")") }
        throw ExitCode.failure
    }
}

/// An HTTP client for one GET to a server of this machine.
private enum HealthProbe {
    /// Far more than `/readyz` answers.
    private static let longest = 65_536

    /// Returns the status and the body of the response, or `nil` if none arrives in time. Blocks.
    static func answer(to path: String, at target: SocketAddress, within limit: Duration) -> (
        status: Int, body: String
    )? {
        let socket = Glibc.socket(target.family, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard socket >= 0 else { return nil }
        defer { close(socket) }
        var timeout = timeval(tv_sec: Int(limit.components.seconds), tv_usec: 0)
        for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
            setsockopt(socket, SOL_SOCKET, option, &timeout, socklen_t(MemoryLayout<timeval>.size))
        }
        guard target.withPointer({ connect(socket, $0, $1) }) == 0 else { return nil }
        let request = Array("GET \(path) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".utf8)
        guard send(socket, request, request.count, Int32(MSG_NOSIGNAL)) == request.count else { return nil }
        let answer = read(socket)
        guard let status = status(in: answer) else { return nil }
        let text = String(decoding: answer, as: UTF8.self)
        let body = text.firstRange(of: "\r\n\r\n").map { text[$0.upperBound...] } ?? ""
        return (status, String(body.prefix { $0 != "\n" }))
    }

    private static func read(_ socket: Int32) -> [UInt8] {
        var answer: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 4_096)
        while answer.count < longest {
            let received = recv(socket, &part, part.count, 0)
            guard received > 0 else { break }
            answer += part.prefix(received)
        }
        return answer
    }

    private static func status(in answer: [UInt8]) -> Int? {
        let words = answer.split(separator: UInt8(ascii: " "), maxSplits: 2)
        guard words.count == 3, words[0].starts(with: "HTTP/1.".utf8) else { return nil }
        return Int(String(decoding: words[1], as: UTF8.self))
    }
}
