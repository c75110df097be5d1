// SPDX-License-Identifier: Apache-2.0

import Load

/// What a server pays to tell many streams of a change, and to hold them.
struct FanOut {
    /// One round with one server.
    struct Sample: Codable, Sendable {
        /// The server's CPU time, user and system, for one event on one stream. In µs.
        let cpuPerDelivery: Double
        /// The slope of the server's anonymous memory between few and all streams. In KiB.
        let memoryPerStream: Double
        /// The same of `Private_Dirty`.
        let privateDirtyPerStream: Double
        /// All of the server's memory at both ends of the slope. In KiB.
        let memoryOfFew, memoryOfAll: Memory
        /// Descriptors that the server holds for each stream; 1 is the least.
        let descriptorsPerStream: Double
        /// From sending the change to the last stream having read it; the median. In ms, and dependent on this client.
        let lastStream: Double
        /// Connects with the first event received, per second; also dependent on this client.
        let connectsPerSecond: Double
        /// Events that arrived, for each change and stream; 1 unless the server says things twice.
        let eventsPerChange: Double
    }

    let plan: Plan
    let processor: Int?

    func sample(_ peer: any EventPeer) throws -> Sample {
        let server = try Server(peer, on: processor)
        defer { server.stop() }
        do {
            return try sample(peer, server)
        } catch let error as LoadError {
            throw BenchError.failed(peer.name, reason: error, said: server.lastWords)
        }
    }

    private func sample(_ peer: any EventPeer, _ server: Server) throws -> Sample {
        let crowd = try StreamCrowd(port: server.port, request: peer.stream, capacity: plan.streams)
        // An idle keep-alive connection older than every stream: a server must let go of later ones nonetheless.
        var changer = try Changer(peer, port: server.port)

        try crowd.grow(to: plan.fewStreams)
        for _ in 0..<plan.warmUpChanges { _ = try changer.change(crowd) }
        let (few, fewDescriptors) = (try server.memory(), Double(try server.descriptors()))

        let connecting = ContinuousClock.now
        try crowd.grow(to: plan.streams)
        let connected = ContinuousClock.now - connecting
        for _ in 0..<plan.warmUpChanges { _ = try changer.change(crowd) }
        let (all, allDescriptors) = (try server.memory(), Double(try server.descriptors()))

        let (cpu, deliveries) = (server.cpuTime, crowd.deliveries)
        let times = try (0..<plan.changes).map { _ in try changer.change(crowd) }
        let spent = server.cpuTime - cpu
        let delivered = Double(crowd.deliveries - deliveries)

        let more = Double(plan.streams - plan.fewStreams)
        return Sample(
            cpuPerDelivery: spent.seconds * 1e6 / delivered,
            memoryPerStream: Double(all.anonymous - few.anonymous) / more,
            privateDirtyPerStream: Double(all.privateDirty - few.privateDirty) / more,
            memoryOfFew: few,
            memoryOfAll: all,
            descriptorsPerStream: (allDescriptors - fewDescriptors) / more,
            lastStream: median(times.map { $0.seconds * 1e3 }),
            connectsPerSecond: more / connected.seconds,
            eventsPerChange: delivered / Double(plan.changes * plan.streams)
        )
    }
}

/// Makes a peer's changes in turn, and waits for each to arrive everywhere.
struct Changer: ~Copyable {
    private let changes: [Change]
    private var control: ControlConnection
    private var next = 0

    init(_ peer: any EventPeer, port: UInt16) throws {
        changes = peer.changes
        control = try ControlConnection(port: port)
    }

    /// - Returns: How long it took to reach the last stream.
    mutating func change(_ crowd: StreamCrowd) throws -> Duration {
        let change = changes[next % changes.count]
        next += 1
        crowd.expectChange()
        let start = ContinuousClock.now
        try control.send(change.request)
        do {
            try crowd.awaitEvent(showing: change.mark)
        } catch {
            _ = try control.receive()  // a refusal explains more than its consequence
            throw error
        }
        let time = ContinuousClock.now - start
        _ = try control.receive()
        return time
    }
}

extension Duration {
    var seconds: Double { self / .seconds(1) }
}
