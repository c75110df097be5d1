// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Load

/// The cost of an idle server: its start, its memory, and streams without events.
struct Idleness {
    /// One start.
    struct Start: Codable, Sendable {
        /// From the start of the process to the complete response to a GET, in ms.
        let firstAnswer: Double
        /// A moment later. In MiB.
        let resident: Double
    }

    /// Many streams, over the interval between two heartbeats.
    struct Streams: Codable, Sendable {
        let streams: Int
        /// The server's CPU time by wall time, in percent of a core.
        let busy: Double
    }

    let plan: Plan
    let processor: Int?

    func start(_ daemon: Brightnessd) throws -> Start {
        let start = ContinuousClock.now
        return try Server.run(daemon, on: nil) { server in
            var control = try ControlConnection(port: server.port)
            _ = try control.exchange(daemon.state)
            let firstAnswer = ContinuousClock.now - start
            pause(seconds: 0.3)
            return Start(
                firstAnswer: firstAnswer.seconds * 1e3,
                resident: Double(try server.memory().resident) / 1_024
            )
        }
    }

    /// Each stream gets one comment in the time that is measured.
    func streams(_ daemon: Brightnessd) throws -> Streams {
        try Server.run(daemon, on: processor) { server in
            let crowd = try StreamCrowd(port: server.port, .events, request: daemon.stream, capacity: plan.idleStreams)
            try crowd.grow(to: plan.idleStreams)
            let (start, cpu) = (ContinuousClock.now, server.cpuTime)
            pause(seconds: 15)
            let busy = (server.cpuTime - cpu) / (ContinuousClock.now - start)
            withExtendedLifetime(crowd) {}
            return Streams(streams: plan.idleStreams, busy: busy * 100)
        }
    }
}
