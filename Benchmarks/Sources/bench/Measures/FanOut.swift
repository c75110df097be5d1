// SPDX-License-Identifier: Apache-2.0

import Load

/// The cost of sending a change to many streams, and of holding them: with few streams first, then with more and
/// more.
struct FanOut {
    /// One round with one server.
    struct Sample: Codable, Sendable {
        /// Smallest crowd first.
        let crowds: [Crowd]

        func at(_ streams: Int) -> Crowd? { crowds.first { $0.streams == streams } }

        var largest: Crowd? { crowds.last }

        /// The slope of the server's anonymous memory from 1,000 streams (or the next larger crowd) to all. In KiB.
        var memoryPerStream: Double { slope { Double($0.memory.anonymous) } }
        /// Descriptors that the server holds for each stream; 1 is the least.
        var descriptorsPerStream: Double { slope { Double($0.descriptors) } }

        private func slope(_ figure: (Crowd) -> Double) -> Double {
            guard let few = crowds.first(where: { $0.streams >= 1_000 }) ?? crowds.first, let all = crowds.last,
                all.streams > few.streams
            else { return .nan }
            return (figure(all) - figure(few)) / Double(all.streams - few.streams)
        }
    }

    /// The results with this number of streams.
    struct Crowd: Codable, Sendable {
        let streams: Int
        /// The server's CPU time, user and system, for one event on one stream. In µs.
        let cpuPerDelivery: Double
        /// The median time from sending a change to its read on the last stream, in ms. It depends on this client.
        let lastStream: Double
        /// Events that arrived, for each change and stream; 1 unless the server says things twice.
        let eventsPerChange: Double
        /// Connects with the first event received, per second, since the smaller crowd; also dependent on this client.
        let connectsPerSecond: Double
        /// The server's CPU time for each of them. In µs.
        let cpuPerConnect: Double
        let memory: Memory
        let descriptors: Int
    }

    let plan: Plan
    let processor: Int?

    func sample(_ peer: any EventPeer) throws -> Sample {
        try Server.run(peer, on: processor) { server in
            let crowd = try StreamCrowd(
                port: server.port,
                peer.kind,
                request: peer.stream,
                capacity: plan.crowds.last ?? 0
            )
            // Its idle keep-alive connection is older than every stream: a server must let go of later ones
            // nonetheless.
            var changer = try Changer(peer, port: server.port)
            var samples: [Crowd] = []
            for streams in plan.crowds { samples.append(try measure(crowd, grownTo: streams, &changer, server)) }
            return Sample(crowds: samples)
        }
    }

    private func measure(
        _ crowd: StreamCrowd,
        grownTo streams: Int,
        _ changer: inout Changer,
        _ server: Server
    ) throws -> Crowd {
        let newcomers = Double(streams - crowd.count)
        let (start, cpuAtStart) = (ContinuousClock.now, server.cpuTime)
        try crowd.grow(to: streams)
        let (connecting, cpuForConnects) = (ContinuousClock.now - start, server.cpuTime - cpuAtStart)

        for _ in 0..<plan.warmUpChanges { try changer.change(crowd) }
        let (memory, descriptors) = (try server.memory(), try server.descriptors())

        let (cpu, deliveries) = (server.cpuTime, crowd.deliveries)
        let changes = plan.changes(to: streams)
        let times = try (0..<changes).map { _ in try changer.change(crowd).seconds * 1e3 }
        let spent = server.cpuTime - cpu
        let delivered = Double(crowd.deliveries - deliveries)
        return Crowd(
            streams: streams,
            cpuPerDelivery: spent.seconds * 1e6 / delivered,
            lastStream: median(times),
            eventsPerChange: delivered / Double(changes * streams),
            connectsPerSecond: newcomers / connecting.seconds,
            cpuPerConnect: cpuForConnects.seconds * 1e6 / newcomers,
            memory: memory,
            descriptors: descriptors
        )
    }
}
