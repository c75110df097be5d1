// SPDX-License-Identifier: Apache-2.0

import CSystem
import FoundationEssentials
import Load

/// One run of the benchmark: which servers, in which order, to which rows.
struct Run {
    let plan: Plan
    let parts: [Bench.Part]
    /// Server on the last processor, this client on the first, if there are two.
    let pins: Bool
    /// A temporary directory for configurations of peers, a trace and the daemon's state. Removed after the run.
    let directory: String
    let hardware = Hardware()
    let start = ContinuousClock.now

    /// No round begins after it, so that there is a result within the limit.
    private var end: ContinuousClock.Instant { start + .seconds(Double(plan.limitSeconds) * 0.85) }

    var isPinned: Bool { pins && hardware.cores > 1 }
    var processor: Int? { isPinned ? hardware.cores - 1 : nil }

    /// - Parameters:
    ///   - daemon: With a journal, as it is usually run.
    ///   - variant: The same program with other arguments: without a journal, or with other displays, under this name.
    func daemonAgainstPeers(
        _ daemon: Brightnessd,
        variant: (_ displays: Int, _ name: String) -> Brightnessd
    ) throws -> Report {
        try Paths.requireProgram(daemon.command[0], remedy: "make build, or --daemon")
        progress("rehearsal: \(daemon.name)")
        let seen = try Rehearsal(daemon)
        progress("its event has \(seen.event.data(100).count) bytes of data, its document \(seen.document.length)")
        return try report([daemon.command]) { results in
            let peers = try Peers(seen, in: directory)
            for note in peers.missing { progress(note) }
            if parts.contains(.requests) {
                results.gets = try gets([daemon, peers.handler] + peers.constant)
                results.puts = try puts(daemon, peers.handler)
                let few = variant(1, Report.oneDisplay), many = variant(plan.manyDisplays, Report.manyDisplays)
                results.displays = try puts(few, many)
            }
            if parts.contains(.boosts) { results.boosts = try boosts(daemon, variant(1, Report.noJournal)) }
            if parts.contains(.openLoop) {
                let all = [daemon, peers.epoll(.events)] + peers.slow(.events).map(\.peer)
                results.openLoop = try openLoop(all)
                results.stalled = try stalled(daemon)
            }
            if parts.contains(.idle) { try idle(daemon, &results) }
            if parts.contains(.commands) {
                let sample = try Commands(plan: plan, processor: processor).sample(daemon)
                progress(
                    "PUT while \(sample.streams) streams receive: 99 of 100 within \(fixed(sample.percentile99, 2)) ms"
                )
                results.commands = sample
            }
            // The longest ones come last, and get the time that is left.
            if parts.contains(.fanOut) {
                let now = ContinuousClock.now
                results.events = try fanOut(
                    [(daemon, false), (peers.epoll(.events), false)] + peers.slow(.events),
                    until: now + (end - now) * 0.6
                )
                let webSockets = daemon.withWebSockets
                results.webSockets = try fanOut(
                    [(webSockets, false), (peers.epoll(.webSockets), false)] + peers.slow(.webSockets),
                    until: end
                )
            }
        }
    }

    /// Every ratio should be near 1.
    func peersAgainstThemselves() throws -> Report {
        let seen = Rehearsal.example
        return try report([]) { results in
            let peers = try Peers(seen, in: directory)
            if parts.contains(.fanOut) {
                let epoll = peers.epoll(.events)
                results.events = try fanOut([(Same(epoll), false), (epoll, false)], until: end)
            }
            if parts.contains(.requests) { results.gets = try gets([Same(peers.handler), peers.handler]) }
        }
    }

    private func report(_ commands: [[String]], _ measure: (inout Results) throws -> Void) throws -> Report {
        if isPinned { _ = csystem_pin(0) }
        let meter = Disturbance.Meter()
        var results = Results()
        try measure(&results)
        return Report(
            at: Date().formatted(.iso8601),
            seconds: (ContinuousClock.now - start).seconds,
            hardware: hardware,
            disturbance: meter.read(),
            plan: plan,
            isPinned: isPinned,
            commands: commands,
            results: results
        )
    }

    // MARK: The measurements

    private func fanOut(
        _ peers: [(peer: any EventPeer, isSlow: Bool)],
        until end: ContinuousClock.Instant
    ) throws -> Rounds<FanOut.Sample> {
        let measure = FanOut(plan: plan, processor: processor)
        return try Rounds(
            plan.fanOutRounds,
            until: end,
            peers.map { peer, isSlow in
                Contestant(name: peer.name, rounds: isSlow ? plan.slowPeerRounds : .max, isDispensable: isSlow) {
                    let sample = try measure.sample(peer)
                    let costs = sample.crowds.map {
                        "\(fixed($0.cpuPerDelivery, 2)) µs (\(fixed(Double($0.streams), 0)))"
                    }
                    progress(
                        "\(peer.kind == .events ? "events" : "WebSockets"), \(peer.name): per delivery "
                            + costs.joined(separator: ", ") + "; \(fixed(sample.memoryPerStream, 3)) KiB each"
                    )
                    return sample
                }
            }
        )
    }

    private func gets(_ peers: [any StatePeer]) throws -> Rounds<RequestRate.Sample> {
        try rates(peers.map { peer in (peer, { _ in [peer.state] }) }, "GET")
    }

    private func puts(_ peers: any ChangePeer...) throws -> Rounds<RequestRate.Sample> {
        try rates(peers.map { peer in (peer, { _ in peer.changes }) }, "change")
    }

    private func boosts(_ daemon: Brightnessd, _ other: Brightnessd) throws -> Rounds<RequestRate.Sample> {
        // Not on one processor: a journal has a thread of its own. What is started now runs where this client may.
        if isPinned { _ = csystem_pin(-1) }
        defer { if isPinned { _ = csystem_pin(0) } }
        return try rates(
            [daemon, other].map { daemon in (daemon, { daemon.boostAndRelease(holder: "kiosk-\($0)") }) },
            "boost or release",
            isShared: true
        )
    }

    /// - Parameter isShared: Server and client share all processors.
    private func rates(
        _ peers: [(peer: any Peer, requests: (Int) -> [Request])],
        _ what: String,
        isShared: Bool = false
    ) throws -> Rounds<RequestRate.Sample> {
        let contestants = try peers.map { peer, requests in
            let measure = try RequestRate(
                peer,
                connections: plan.connections,
                on: isShared ? nil : processor,
                measuresLatency: isShared,
                requests: requests
            )
            return Contestant(name: peer.name) {
                let sample = try measure.sample(seconds: isShared ? plan.boostSeconds : plan.requestSeconds)
                progress(
                    "\(what), \(peer.name): \(fixed(sample.rate, 0))/s, \(fixed(sample.cpuPerAnswer, 2)) µs each, "
                        + "server busy \(fixed(sample.busy * 100, 0)) %"
                )
                return sample
            }
        }
        return try Rounds(plan.requestRounds, until: end, contestants)
    }

    private func openLoop(_ peers: [any EventPeer]) throws -> Rounds<OpenLoop.Sample> {
        let measure = OpenLoop(plan: plan, processor: processor)
        return try Rounds(plan.openLoopRounds, until: end, peers.map { contestant($0.name, $0, measure) })
    }

    private func stalled(_ daemon: Brightnessd) throws -> Rounds<OpenLoop.Sample> {
        var measure = OpenLoop(plan: plan, processor: processor)
        let without = contestant(Report.allRead, daemon, measure)
        measure.hasStalledClient = true
        return try Rounds(plan.stalledRounds, until: end, [contestant(Report.oneStalled, daemon, measure), without])
    }

    private func contestant(_ name: String, _ peer: any EventPeer, _ measure: OpenLoop) -> Contestant<OpenLoop.Sample> {
        Contestant(name: name, isDispensable: !(peer is Brightnessd)) {
            let sample = try measure.sample(peer)
            progress(
                "\(fixed(plan.openLoopRate, 0)) changes a second, \(name): half of the events within "
                    + "\(fixed(sample.median, 2)) ms, 99 of 100 within \(fixed(sample.percentile99, 2)) ms, "
                    + "\(fixed(sample.arrived * 100, 1)) % came"
            )
            return sample
        }
    }

    private func idle(_ daemon: Brightnessd, _ results: inout Results) throws {
        let measure = Idleness(plan: plan, processor: processor)
        results.starts = try (0..<plan.starts).map { _ in try measure.start(daemon) }
        progress("started \(plan.starts) times")
        if SystemCalls.isInstalled {
            results.calls = try SystemCalls(plan: plan, directory: directory).sample(daemon)
            progress("system calls are counted")
        } else {
            progress("\(SystemCalls.program) is missing: no system calls are counted (scripts/setup bench)")
        }
        progress("\(plan.idleStreams) streams are idle for 15 s")
        results.idleStreams = try measure.streams(daemon)
    }
}

/// A peer once more, to compare it with itself.
private struct Same<Original: Peer>: Peer {
    let original: Original
    let name = "itself"

    init(_ original: Original) { self.original = original }

    var command: [String] { original.command }
    var environment: [String: String] { original.environment }
    var port: UInt16? { original.port }
}

extension Same: EventPeer where Original: EventPeer {
    var kind: StreamCrowd.Kind { original.kind }
    var stream: Request { original.stream }
    func change(to step: Int) -> Request { original.change(to: step) }
}

extension Same: StatePeer where Original: StatePeer {
    var state: Request { original.state }
}
