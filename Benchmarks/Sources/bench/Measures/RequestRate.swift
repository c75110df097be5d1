// SPDX-License-Identifier: Apache-2.0

import Load

/// The request rate of a server on a few busy keep-alive connections.
struct RequestRate {
    /// One slice with one server.
    struct Sample: Codable, Sendable {
        /// Answers per second of wall time: what this client got, on the processors both share.
        let rate: Double
        /// The server's CPU time for one answer. In µs.
        let cpuPerAnswer: Double
        /// CPU time by wall time. Near 1: the server was the bottleneck, and `rate` is its own.
        let busy: Double
        /// From a request to its response, in ms.
        let median, percentile99: Double
    }

    private let server: Server
    private let loop: RequestLoop

    /// Starts the server and opens the connections; both stay for all slices.
    ///
    /// - Parameter requests: What each connection asks in turn, by its number.
    init(
        _ peer: any Peer,
        connections: Int,
        on processor: Int?,
        measuresLatency: Bool = false,
        requests: (Int) -> [Request]
    ) throws {
        server = try Server(peer, on: processor)
        loop = try RequestLoop(
            port: server.port,
            connections: connections,
            measuresLatency: measuresLatency,
            requests: requests
        )
        _ = try sample(seconds: 0.3)  // warm up
    }

    func sample(seconds: Double) throws -> Sample {
        do {
            let before = server.cpuTime
            let run = try loop.run(for: .seconds(seconds))
            let spent = server.cpuTime - before
            return Sample(
                rate: Double(run.answers) / run.elapsed.seconds,
                cpuPerAnswer: spent.seconds * 1e6 / Double(run.answers),
                busy: spent / run.elapsed,
                median: run.latencies.milliseconds(percentile: 50),
                percentile99: run.latencies.milliseconds(percentile: 99)
            )
        } catch {
            throw BenchError.failed(server.name, reason: error, said: server.lastWords)
        }
    }
}
