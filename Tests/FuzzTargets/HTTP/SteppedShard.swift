// SPDX-License-Identifier: Apache-2.0
import Glibc

@testable import HTTPServer

/// A shard that runs step by step on this thread, and its clients. So its output depends only on the input.
final class SteppedShard {
    /// The outcome of one connection.
    struct Outcome: Equatable {
        /// The requests and rejections at the application, in order.
        var seen: [Recorder.Sight]
        /// The status of every final response, in order.
        var statuses: [String]
    }

    private let listener: Int32
    private let address: SocketName
    private let recorder = Recorder()
    private let shard: Shard

    init() throws {
        (listener, address) = try SocketName.listening()
        shard = try Shard(
            listeningOn: [listener],
            connections: 16,
            limits: ConnectionLimits(),
            streamLimiter: StreamLimiter(for: 16, limit: .defaultStreams),
            connectionLimiter: ConnectionLimiter(connections: ClientLimit(.max), connects: ClientLimit(.max)),
            inbox: try ShardInbox(),
            application: recorder
        )
    }

    /// Sends each part when the previous one has been read, and returns the outcome.
    func serve(_ pieces: [ArraySlice<UInt8>]) throws -> Outcome {
        recorder.seen = []
        let client = try address.connected()
        turn(2)
        for piece in pieces {
            let sent = piece.withUnsafeBytes { send(client, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            // The shard may have closed the connection already.
            if sent < 0 { break }
            var rounds = 0
            repeat {
                turn(1)
                rounds += 1
                try require(rounds < 10_000, "a request keeps the shard busy for ever")
            } while unread(client) > 0
        }
        // The shortest request has 16 bytes, and a turn answers more than one.
        turn(4 + pieces.joined().count / 64)
        var answers: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while case let count = recv(client, &buffer, buffer.count, Int32(MSG_DONTWAIT)), count > 0 {
            answers += buffer.prefix(count)
            turn(1)
        }
        close(client)
        turn(2)
        return Outcome(seen: recorder.seen, statuses: Self.statuses(in: answers))
    }

    /// Returns the status of final responses. An interim response depends on the timing.
    private static func statuses(in answers: [UInt8]) -> [String] {
        answers.text.split(separator: "HTTP/1.").dropFirst(answers.text.hasPrefix("HTTP/1.") ? 0 : 1)
            .map { String($0.dropFirst(2).prefix(3)) }.filter { $0 != "100" }
    }

    private func turn(_ count: Int) {
        for _ in 0..<count {
            // The wake-up makes the turn return at once.
            shard.inbox.wake()
            shard.turn()
        }
    }

    /// The number of bytes that the shard has not read; 0 when it has closed the connection.
    private func unread(_ client: Int32) -> Int32 {
        var count: Int32 = 0
        return ioctl(client, UInt(TIOCOUTQ), &count) == 0 ? count : 0
    }
}

/// An abstract Unix socket address chosen by the kernel.
private struct SocketName {
    private var storage = sockaddr_un()
    private var length = socklen_t(MemoryLayout<sockaddr_un>.size)

    static func listening() throws -> (Int32, SocketName) {
        var name = SocketName()
        let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        let descriptor = socket(AF_UNIX, type, 0)
        name.storage.sun_family = sa_family_t(AF_UNIX)
        let isBound = name.withAddress { bind(descriptor, $0, socklen_t(MemoryLayout<sa_family_t>.size)) } == 0
        var length = name.length
        let isNamed = name.withAddress { getsockname(descriptor, $0, &length) } == 0
        name.length = length
        try require(isBound && isNamed && listen(descriptor, 16) == 0, "there is no socket to listen at")
        return (descriptor, name)
    }

    func connected() throws -> Int32 {
        var name = self
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        let length = length
        try require(name.withAddress { connect(descriptor, $0, length) } == 0, "no connection: errno \(errno)")
        return descriptor
    }

    private mutating func withAddress<Result>(_ body: (UnsafeMutablePointer<sockaddr>) -> Result) -> Result {
        withUnsafeMutablePointer(to: &storage) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0) }
        }
    }
}
