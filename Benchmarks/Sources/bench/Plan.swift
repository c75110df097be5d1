// SPDX-License-Identifier: Apache-2.0

/// How much is measured.
struct Plan: Codable, Sendable {
    /// Event streams of one server, and the few that the memory slope begins at.
    var streams = 9000
    var fewStreams = 1000
    /// Rounds of fan-out; each starts every server afresh. In a round: changes to warm up, changes that count.
    var fanOutRounds = 15
    var warmUpChanges = 3
    var changes = 30
    /// Slices of GETs, their length, and the connections used.
    var getRounds = 30
    var getSeconds = 1.0
    var connections = 32
    /// Slices of boosts on as many connections.
    var boostRounds = 10
    var boostSeconds = 1.0
    /// When all is ended by force.
    var limitSeconds: UInt32 = 600

    static let full = Plan()
    static let quick: Plan = {
        var plan = Plan()
        plan.fanOutRounds = 5
        plan.changes = 10
        plan.getRounds = 10
        plan.getSeconds = 0.5
        plan.boostRounds = 5
        plan.boostSeconds = 0.5
        plan.limitSeconds = 120
        return plan
    }()
}
