// SPDX-License-Identifier: Apache-2.0

import CSystem
import FoundationEssentials

/// One run of the benchmark: which servers, in which order, to which rows.
struct Run {
    let plan: Plan
    let parts: [Bench.Part]
    /// Server on the last processor, this client on the first, if there are two.
    let pins: Bool
    let isSelfCheck: Bool
    private let hardware = Hardware()

    private var isPinned: Bool { pins && hardware.cores > 1 }
    private var processor: Int? { isPinned ? hardware.cores - 1 : nil }

    func daemonAgainstPeers(_ daemon: Brightnessd, withoutJournal: Brightnessd) throws -> Report {
        try Paths.requireProgram(daemon.command[0], remedy: "swift build -c release in the project's root, or --daemon")
        progress("rehearsal: \(daemon.name)")
        let seen = try Rehearsal(daemon)
        progress("its event has \(seen.events[0].data.count) bytes of data, its document \(seen.document.length)")
        return try measure(
            events: (daemon, EpollLimit(in: Paths.programs, events: seen.events)),
            state: (daemon, MHDMinimal(in: Paths.programs, document: seen.document)),
            boosts: (daemon, withoutJournal)
        )
    }

    func peersAgainstThemselves() throws -> Report {
        let epoll = EpollLimit(in: Paths.programs, events: ObservedEvent.examples)
        let mhd = MHDMinimal(in: Paths.programs, document: .example)
        return try measure(events: (epoll, epoll), state: (mhd, mhd), boosts: nil)
    }

    private func measure(
        events: (subject: any EventPeer, peer: any EventPeer),
        state: (subject: any StatePeer, peer: any StatePeer),
        boosts: (subject: Brightnessd, peer: Brightnessd)?
    ) throws -> Report {
        for peer in [events.peer, state.peer] as [any Peer] {
            try Paths.requireProgram(peer.command[0], remedy: "swift build -c release in Benchmarks builds it")
        }
        if isPinned { _ = csystem_pin(0) }
        let meter = Disturbance.Meter()
        var rows: [Row] = []
        var commands: [[String]] = []
        let fanOut = try parts.contains(.fanOut) ? fanOutRounds(events.subject, events.peer) : nil
        if let fanOut {
            rows += self.rows(of: fanOut, against: events.peer.name)
            commands += [events.subject.command, events.peer.command]
        }
        let get = try parts.contains(.get) ? getRounds(state.subject, state.peer) : nil
        if let get {
            rows += self.rows(of: get, against: state.peer.name)
            commands += [state.subject.command, state.peer.command]
        }
        let pairs = try boosts.flatMap { parts.contains(.boosts) ? try boostRounds($0, $1) : nil }
        if let pairs, let boosts {
            rows += self.rows(of: pairs, against: boosts.peer.name)
            commands += [boosts.subject.command, boosts.peer.command]
        }
        return Report(
            at: Date().formatted(.iso8601),
            hardware: hardware,
            disturbance: meter.read(),
            plan: plan,
            isPinned: isPinned,
            commands: commands,
            rows: rows,
            fanOut: fanOut,
            get: get,
            boosts: pairs
        )
    }

    private func fanOutRounds(_ subject: any EventPeer, _ peer: any EventPeer) throws -> Rounds<FanOut.Sample> {
        let measure = FanOut(plan: plan, processor: processor)
        func sample(_ peer: any EventPeer) throws -> FanOut.Sample {
            let sample = try measure.sample(peer)
            progress(
                "fan-out to \(fixed(Double(plan.streams), 0)) streams, \(peer.name): \(fixed(sample.cpuPerDelivery, 2)) µs per delivery, "
                    + "\(fixed(sample.memoryPerStream, 3)) KiB per stream, last stream \(fixed(sample.lastStream, 1)) ms"
            )
            return sample
        }
        return try Rounds(plan.fanOutRounds) {
            try sample(subject)
        } peer: {
            try sample(peer)
        }
    }

    private func getRounds(_ subject: any StatePeer, _ peer: any StatePeer) throws -> Rounds<StateGet.Sample> {
        let ofSubject = try StateGet(subject, plan: plan, on: processor)
        let ofPeer = try StateGet(peer, plan: plan, on: processor)
        for each in [ofSubject, ofPeer] { _ = try each.sample(seconds: 0.3) }  // warm up
        func sample(_ measure: StateGet, _ name: String) throws -> StateGet.Sample {
            let sample = try measure.sample(seconds: plan.getSeconds)
            progress(
                "GET, \(name): \(fixed(sample.rate, 0))/s, \(fixed(sample.cpuPerAnswer, 2)) µs each, "
                    + "server busy \(fixed(sample.busy * 100, 0)) %"
            )
            return sample
        }
        return try Rounds(plan.getRounds) {
            try sample(ofSubject, subject.name)
        } peer: {
            try sample(ofPeer, peer.name)
        }
    }

    private func boostRounds(_ subject: Brightnessd, _ peer: Brightnessd) throws -> Rounds<BoostPairs.Sample> {
        // Not on one processor: a journal has a thread of its own. What is started now runs where this client may.
        if isPinned { _ = csystem_pin(-1) }
        let ofSubject = try BoostPairs(subject, plan: plan)
        let ofPeer = try BoostPairs(peer, plan: plan)
        for each in [ofSubject, ofPeer] { _ = try each.sample(seconds: 0.3) }  // warm up
        func sample(_ measure: BoostPairs, _ name: String) throws -> BoostPairs.Sample {
            let sample = try measure.sample(seconds: plan.boostSeconds)
            progress(
                "boost and release, \(name): \(fixed(sample.rate, 0))/s, 99 of 100 within \(fixed(sample.percentile99, 2)) ms, "
                    + "\(fixed(sample.cpuPerPair, 1)) µs each"
            )
            return sample
        }
        return try Rounds(plan.boostRounds) {
            try sample(ofSubject, subject.name)
        } peer: {
            try sample(ofPeer, peer.name)
        }
    }
}
