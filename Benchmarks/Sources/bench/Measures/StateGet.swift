// SPDX-License-Identifier: Apache-2.0

import Load

/// How fast a server answers the same GET on a few busy keep-alive connections.
struct StateGet {
    /// One slice with one server.
    struct Sample: Codable, Sendable {
        /// Answers per second of wall time: what this client got, on the processors both share.
        let rate: Double
        /// The server's CPU time for one answer. In µs.
        let cpuPerAnswer: Double
        /// CPU time by wall time. Near 1: the server was the bottleneck, and `rate` is its own.
        let busy: Double
    }

    private let server: Server
    private let loop: RequestLoop

    /// Starts the server and opens the connections; both stay for all slices.
    init(_ peer: any StatePeer, plan: Plan, on processor: Int?) throws {
        server = try Server(peer, on: processor)
        loop = try RequestLoop(port: server.port, connections: plan.connections) { _ in [peer.state] }
    }

    func sample(seconds: Double) throws -> Sample {
        do {
            let before = server.cpuTime
            let run = try loop.run(for: .seconds(seconds))
            let spent = server.cpuTime - before
            return Sample(
                rate: Double(run.answers) / run.elapsed.seconds,
                cpuPerAnswer: spent.seconds * 1e6 / Double(run.answers),
                busy: spent / run.elapsed
            )
        } catch {
            throw BenchError.failed(server.name, reason: error, said: server.lastWords)
        }
    }
}
