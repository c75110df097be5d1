// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Load

/// The system calls of a server per event, as strace sees them. Costs and times under strace are meaningless.
struct SystemCalls {
    struct Sample: Codable, Sendable {
        /// System calls of the whole process, including the journal, for one event on one stream.
        let perDelivery: Double
        /// Wake-ups of the shard's thread by other threads for one event: the reads of its eventfd.
        let wakesPerEvent: Double
        /// The counts by name.
        let counts: [String: Int]
    }

    static let program = "/usr/bin/strace"

    let plan: Plan
    let directory: String

    static var isInstalled: Bool { FileManager.default.isExecutableFile(atPath: program) }

    func sample(_ daemon: Brightnessd) throws -> Sample {
        try Server.run(daemon, on: nil) { server in
            var changer = try Changer(daemon, port: server.port)
            let crowd = try StreamCrowd(
                port: server.port,
                .events,
                request: Request("GET", "/v1/events", accept: "text/event-stream"),
                capacity: plan.tracedStreams
            )
            try crowd.grow(to: plan.tracedStreams)
            try changer.change(crowd)

            let file = directory + "/calls"
            let tracer = try Server(Tracer(of: server.process, file: file), on: nil)
            let before = crowd.deliveries
            for _ in 0..<plan.tracedChanges { try changer.change(crowd) }
            tracer.stop()
            // An event of the room that was sent before this change is read before it.
            try changer.change(crowd)
            let deliveries = crowd.deliveries - before - plan.tracedStreams
            let trace = try String(contentsOfFile: file, encoding: .utf8)
            return read(trace, shard: try server.thread(named: "shard-0"), deliveries: deliveries)
        }
    }

    /// Lines are `THREAD CALL(ARGUMENTS…`; those that go on with an earlier call have `<` instead.
    ///
    /// The events include those of the simulated room, which follows the panel a few times a second.
    private func read(_ trace: String, shard: String, deliveries: Int) -> Sample {
        var counts: [String: Int] = [:]
        var wakes = 0
        for line in trace.split(separator: "\n") {
            // A short number of a thread has more than one space after it.
            let (thread, call) = (line.prefix { $0 != " " }, line.drop { $0 != " " }.drop { $0 == " " })
            guard let end = call.firstIndex(of: "("), call.first?.isLetter == true else { continue }
            let name = String(call[..<end])
            counts[name, default: 0] += 1
            if name == "read", thread == shard { wakes += 1 }
        }
        return Sample(
            perDelivery: Double(counts.values.reduce(0, +)) / Double(deliveries),
            wakesPerEvent: Double(wakes * plan.tracedStreams) / Double(deliveries),
            counts: counts
        )
    }

    /// Says which process it has, once it has it.
    private struct Tracer: Peer {
        let name = "strace"
        let command: [String]

        init(of process: Int32, file: String) {
            command = [SystemCalls.program, "-f", "-o", file, "-p", "\(process)"]
        }

        let isReadyWhenItSays: String? = "attached"
    }
}
