// SPDX-License-Identifier: Apache-2.0

import CSystem
import FoundationEssentials
import Glibc

/// A peer that runs: a child process listening on loopback, with its meters.
final class Server {
    let name: String
    let port: UInt16
    private let process: pid_t
    /// What it says, on stdout and stderr.
    private let log: Int32
    private var hasStopped = false

    /// Starts the peer and waits until it has told its port, at most 10 s. All its threads stay on `processor`;
    /// `nil` is anywhere.
    init(_ peer: any Peer, on processor: Int?) throws {
        name = peer.name
        let log = csystem_memory_file(peer.name)
        let environment = ProcessInfo.processInfo.environment
            .filter { !$0.key.hasPrefix("BRIGHTNESSD_") }
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
            if let told = said.firstMatch(of: /http:\/\/127\.0\.0\.1:(\d+)/), let port = UInt16(told.1), port > 0 {
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

    /// How many descriptors it has open.
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

/// All in KiB.
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
