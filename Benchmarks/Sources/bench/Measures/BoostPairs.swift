// SPDX-License-Identifier: Apache-2.0

import Load

/// How many boosts a server grants and releases, each holder's on a keep-alive connection of its own.
struct BoostPairs {
    /// One slice with one server.
    struct Sample: Codable, Sendable {
        /// Grants with their release, per second of wall time.
        let rate: Double
        /// From a request, of either kind, to its answer. In ms.
        let median, percentile99: Double
        /// The server's CPU time for a grant and its release. In µs.
        let cpuPerPair: Double
    }

    private let server: Server
    private let loop: RequestLoop

    /// Starts the server and opens the connections; both stay for all slices.
    init(_ daemon: Brightnessd, plan: Plan) throws {
        server = try Server(daemon, on: nil)
        loop = try RequestLoop(port: server.port, connections: plan.connections, measuresLatency: true) { place in
            daemon.boostAndRelease(holder: "kiosk-\(place)")
        }
    }

    func sample(seconds: Double) throws -> Sample {
        do {
            let before = server.cpuTime
            let run = try loop.run(for: .seconds(seconds))
            let spent = server.cpuTime - before
            let pairs = Double(run.answers) / 2
            return Sample(
                rate: pairs / run.elapsed.seconds,
                median: run.latency(percentile: 50).seconds * 1e3,
                percentile99: run.latency(percentile: 99).seconds * 1e3,
                cpuPerPair: spent.seconds * 1e6 / pairs
            )
        } catch {
            throw BenchError.failed(server.name, reason: error, said: server.lastWords)
        }
    }
}
