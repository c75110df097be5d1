// SPDX-License-Identifier: Apache-2.0

/// The size of the measurements.
struct Plan: Codable, Sendable {
    /// Event streams, or WebSockets, of one server: each crowd grows out of the one before.
    var crowds = [100, 1_000, 9_000, 18_000]
    /// Rounds of fan-out; each starts every server afresh. The slower peers take part in the first ones only.
    var fanOutRounds = 6
    var slowPeerRounds = 3
    var warmUpChanges = 3
    /// The deliveries (events times streams) of one measurement of changes.
    var deliveries = 80_000

    /// Slices of requests, their length, and the keep-alive connections used.
    var requestRounds = 12
    var requestSeconds = 0.8
    var boostSeconds = 1.0
    var connections = 32
    var manyDisplays = 1_000

    /// Changes at a steady rate.
    var openLoopRounds = 3
    var openLoopStreams = 1_000
    var openLoopRate = 20.0
    var openLoopSeconds = 3.0
    /// Rounds with and without a client that reads nothing, and the changes after which its buffers are full.
    var stalledRounds = 5
    var changesUntilStalled = 400

    var tracedStreams = 1_000
    var tracedChanges = 20
    var starts = 10
    var idleStreams = 10_000
    /// Commands one after the other while all streams receive each change.
    var commandSeconds = 8.0

    /// The time limit after which the run is killed.
    var limitSeconds: UInt32 = 600

    static let full = Plan()
    static let quick: Plan = {
        var plan = Plan()
        plan.crowds = [100, 1_000, 9_000]
        plan.fanOutRounds = 1
        plan.slowPeerRounds = 1
        plan.deliveries = 30_000
        plan.requestRounds = 3
        plan.requestSeconds = 0.4
        plan.boostSeconds = 0.5
        plan.openLoopRounds = 1
        plan.openLoopSeconds = 1.5
        plan.stalledRounds = 1
        plan.starts = 3
        plan.commandSeconds = 2
        plan.limitSeconds = 180
        return plan
    }()

    /// The number of changes of a measurement with this number of streams.
    func changes(to streams: Int) -> Int { min(max(deliveries / streams, 8), 200) }

    /// The same with no more streams than these.
    func limited(to streams: Int) -> Plan {
        var plan = self
        plan.crowds = crowds.filter { $0 < streams } + [streams]
        plan.idleStreams = min(idleStreams, streams)
        plan.openLoopStreams = min(openLoopStreams, streams)
        plan.tracedStreams = min(tracedStreams, streams)
        return plan
    }
}
