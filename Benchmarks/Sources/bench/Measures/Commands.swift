// SPDX-License-Identifier: Apache-2.0

import Load

/// The latency of commands while events of earlier commands are still being sent to very many streams.
struct Commands {
    struct Sample: Codable, Sendable {
        let streams, commands: Int
        /// From a PUT to its response in ms, as this client notices it between 64 reads.
        let median, percentile99: Double
    }

    let plan: Plan
    let processor: Int?

    /// Asks again as soon as it is answered: each PUT comes in the middle of the fan-out that the one before began.
    func sample(_ daemon: Brightnessd) throws -> Sample {
        try Server.run(daemon, on: processor) { server in
            let streams = plan.crowds.last ?? 0
            let crowd = try StreamCrowd(port: server.port, .events, request: daemon.stream, capacity: streams)
            try crowd.grow(to: streams)
            var control = try ControlConnection(port: server.port)
            var latencies = Latencies()
            let end = ContinuousClock.now + .seconds(plan.commandSeconds)
            while latencies.count < 100 || ContinuousClock.now < end {
                let start = ContinuousClock.now
                try control.send(daemon.change(to: Change.step(number: latencies.count)))
                while try control.receiveWhatIsThere() == 0 {
                    guard ContinuousClock.now - start < .seconds(10) else {
                        throw LoadError.stalled(1, of: 1, seconds: 10)
                    }
                    try crowd.readSome(milliseconds: 0)
                }
                latencies.record(ContinuousClock.now - start)
            }
            return Sample(
                streams: streams,
                commands: latencies.count,
                median: latencies.milliseconds(percentile: 50),
                percentile99: latencies.milliseconds(percentile: 99)
            )
        }
    }
}
