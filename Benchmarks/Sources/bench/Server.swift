// SPDX-License-Identifier: Apache-2.0

import CSystem
import FoundationEssentials
import Glibc
import Load

/// A peer that runs: a child process listening on loopback, with its meters.
final class Server {
    let name: String
    let port: UInt16
    let process: pid_t
    /// Its output on stdout and stderr.
    private let log: Int32
    private var hasStopped = false

    /// Starts the peer and waits until it is ready, at most 10 s. All its threads stay on `processor`; `nil` is
    /// anywhere.
    init(_ peer: any Peer, on processor: Int?) throws {
        name = peer.name
        let log = csystem_memory_file(peer.name)
        let environment = ProcessInfo.processInfo.environment
            .filter { !$0.key.hasPrefix("BRIGHTNESSD_") }
            .merging(peer.environment) { $1 }
            .map { "\($0)=\($1)" }
        let process = withCStrings(peer.command) { arguments in
            withCStrings(environment) { csystem_start(arguments, $0, log, Int32(processor ?? -1)) }
        }
        guard process > 0 else {
            close(log)
            throw BenchError.cannotStart(peer.name, said: "fork failed with errno \(errno)")
        }
        let deadline = ContinuousClock.now + .seconds(10)
        while true {
            let hasEnded = csystem_wait(process, 2) == 1
            let said = Server.text(of: log)
            if let port = Server.port(of: peer, which: said) {
                (self.port, self.process, self.log) = (port, process, log)
                return
            }
            guard !hasEnded, ContinuousClock.now < deadline else {
                csystem_stop(process, 1000)
                close(log)
                throw BenchError.cannotStart(peer.command.joined(separator: " "), said: String(said.suffix(2000)))
            }
        }
    }

    deinit { stop() }

    /// Runs the peer for as long as `body` does.
    static func run<Result>(_ peer: any Peer, on processor: Int?, _ body: (Server) throws -> Result) throws -> Result {
        let server = try Server(peer, on: processor)
        defer { server.stop() }
        do {
            return try body(server)
        } catch let error as LoadError {
            throw BenchError.failed(peer.name, reason: error, said: server.lastWords)
        }
    }

    /// The peer's address; `nil` while it is not ready.
    private static func port(of peer: any Peer, which said: String) -> UInt16? {
        if let sign = peer.isReadyWhenItSays { return said.contains(sign) ? 0 : nil }
        if let port = peer.port { return (try? Socket(port: port)) == nil ? nil : port }
        return said.firstMatch(of: /http:\/\/127\.0\.0\.1:(\d+)/).flatMap { UInt16($0.1) }
    }

    /// Ends the process; it has 5 s to do so by itself.
    func stop() {
        guard !hasStopped else { return }
        hasStopped = true
        csystem_stop(process, 5000)
        close(log)
    }

    /// CPU time of all its threads so far, user and system.
    var cpuTime: Duration { .nanoseconds(Int64(csystem_cpu_time(process))) }

    /// The memory that is its alone: heap and stacks, without shared libraries and without the kernel's sockets.
    func memory() throws -> Memory {
        guard let text = try? String(contentsOfFile: "/proc/\(process)/smaps_rollup", encoding: .utf8) else {
            throw BenchError.hasEnded(name, said: lastWords)
        }
        func kibibytes(_ field: String) -> Int {
            text.split(separator: "\n").first { $0.hasPrefix(field + ":") }
                .flatMap { Int($0.split(separator: " ")[1]) } ?? 0
        }
        return Memory(
            anonymous: kibibytes("Anonymous"),
            privateDirty: kibibytes("Private_Dirty"),
            resident: kibibytes("Rss")
        )
    }

    /// The number of the thread with this name.
    func thread(named name: String) throws -> String {
        let threads = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/task")) ?? []
        let found = threads.first { thread in
            let path = "/proc/\(process)/task/\(thread)/comm"
            return (try? String(contentsOfFile: path, encoding: .utf8))?.hasPrefix(name) ?? false
        }
        guard let found else { throw BenchError.hasEnded("\(self.name)'s thread \(name)", said: lastWords) }
        return found
    }

    /// Returns the number of its open descriptors.
    func descriptors() throws -> Int {
        guard let all = try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/fd") else {
            throw BenchError.hasEnded(name, said: lastWords)
        }
        return all.count
    }

    /// The end of what it printed, for an error message.
    var lastWords: String { String(Server.text(of: log).suffix(2000)) }

    private static func text(of file: Int32) -> String {
        var bytes = [UInt8](repeating: 0, count: 64 * 1024)
        let size = lseek(file, 0, SEEK_END)
        let count = pread(file, &bytes, bytes.count, max(0, size - bytes.count))
        return String(decoding: bytes[..<max(0, count)], as: UTF8.self)
    }
}

/// Memory sizes in KiB.
struct Memory: Codable, Sendable {
    let anonymous: Int
    let privateDirty: Int
    let resident: Int
}

/// Calls `body` with a C array of C strings that ends with NULL.
private func withCStrings<R>(
    _ strings: [String],
    _ body: (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> R
) -> R {
    var pointers = strings.map { strdup($0) } + [nil]
    defer { pointers.forEach { free($0) } }
    return body(&pointers)
}
