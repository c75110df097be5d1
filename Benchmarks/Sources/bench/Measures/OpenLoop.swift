// SPDX-License-Identifier: Apache-2.0

import Load

/// The latency of events at a steady rate of changes, and the effect of one client that reads nothing on the others.
struct OpenLoop {
    struct Sample: Codable, Sendable {
        /// From the time a change was due to the read of its event on every stream, in ms.
        let median, percentile99: Double
        /// Share of the events that came at all.
        let arrived: Double
        /// The server's CPU time by wall time.
        let busy: Double
    }

    let plan: Plan
    let processor: Int?
    /// An additional client that has stopped reading and whose buffers are full.
    var hasStalledClient = false

    func sample(_ peer: any EventPeer) throws -> Sample {
        try Server.run(peer, on: processor) { server in
            var changer = try Changer(peer, port: server.port)
            let stalled = try stalledClient(of: peer, server)
            // Fills what the kernel keeps for it; with nobody reading it the same work is done.
            try changer.changeBlindly(plan.changesUntilStalled)
            let crowd = try StreamCrowd(
                port: server.port,
                peer.kind,
                request: peer.stream,
                capacity: plan.openLoopStreams
            )
            try crowd.grow(to: plan.openLoopStreams)
            for _ in 0..<plan.warmUpChanges { try changer.change(crowd) }

            let (start, cpu) = (ContinuousClock.now, server.cpuTime)
            let seconds = plan.openLoopSeconds
            let missed = try changer.changeSteadily(crowd, perSecond: plan.openLoopRate, seconds: seconds)
            let busy = (server.cpuTime - cpu) / (ContinuousClock.now - start)
            withExtendedLifetime(stalled) {}
            let due = Double(crowd.latencies.count + missed)
            return Sample(
                median: crowd.latencies.milliseconds(percentile: 50),
                percentile99: crowd.latencies.milliseconds(percentile: 99),
                arrived: Double(crowd.latencies.count) / due,
                busy: busy
            )
        }
    }

    private func stalledClient(of peer: any EventPeer, _ server: Server) throws -> StalledClient? {
        hasStalledClient ? try StalledClient(port: server.port, request: peer.stream) : nil
    }
}
