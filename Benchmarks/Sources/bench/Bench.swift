// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CSystem
import FoundationEssentials

@main
struct Bench: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bench",
        abstract: "Measures brightnessd and other servers in one run.",
        discussion: """
            Starts each server as a child on 127.0.0.1 with one thread, one after the other in short rounds, and
            prints one table of medians and ratios. The peers: a bare epoll loop in C (epoll-limit), a handler in C on
            libmicrohttpd (mhd-minimal), nginx with Nchan and with a constant answer, and Hummingbird.

            CPU time is the server's own, user and system. It holds on a busy machine too; rates do not.
            Exit status: 0 when every bound is kept, 1 when one is missed or something failed.
            All samples go to Benchmarks/results/ as JSON. docs/explanation/performance.md explains the method.

            EXAMPLES
              bench                      all of it, about eight minutes
              bench --quick              about two minutes
              bench --publish            and write the table and the picture into docs/
              bench --from results/2026-11-21T150000Z.json --publish
                                         the same with an earlier run
              bench --self-check         the peers against themselves: every ratio should be near 1
              bench --only requests --daemon ./brightnessd
            """
    )

    enum Part: String, ExpressibleByArgument, CaseIterable {
        case fanOut = "fan-out"
        case requests
        case boosts
        case openLoop = "open-loop"
        case idle
        case commands
    }

    @Flag(help: "Fewer and shorter rounds: about two minutes.")
    var quick = false

    @Option(help: "Measure only this. May be repeated.")
    var only: [Part] = []

    @Option(
        help: ArgumentHelp("The daemon's program. (default: the release build next to this package)", valueName: "path")
    )
    var daemon: String?

    @Option(name: .customLong("daemon-argument"), help: "One more argument for the daemon. May be repeated.")
    var daemonArguments: [String] = []

    @Flag(help: "Compare each peer with itself instead of the daemon, to see how far ratios can be trusted.")
    var selfCheck = false

    @Flag(name: .customLong("no-bounds"), help: "Exit with 0 even when a bound is missed.")
    var ignoresBounds = false

    @Flag(inversion: .prefixedNo, help: "Give the server and the client a processor each, where there are two.")
    var pin = true

    @Option(help: "No more event streams than these.")
    var streams: Int?

    @Option(help: "Rounds of every measurement.")
    var rounds: Int?

    @Option(help: ArgumentHelp("Where the JSON goes. (default: results in this package)", valueName: "directory"))
    var results: String?

    @Option(help: ArgumentHelp("Measure nothing; take this earlier result.", valueName: "json"))
    var from: String?

    @Flag(help: "Write the table and the picture into docs/.")
    var publish = false

    func validate() throws {
        guard (101..<19_000).contains(streams ?? 9_000) else {
            throw ValidationError("--streams must be more than 100 and less than 19000.")
        }
        guard (rounds ?? 1) >= 1 else { throw ValidationError("--rounds must be at least 1.") }
    }

    private var plan: Plan {
        var plan = quick ? Plan.quick : Plan.full
        if let streams { plan = plan.limited(to: streams) }
        guard let rounds else { return plan }
        (plan.fanOutRounds, plan.slowPeerRounds, plan.requestRounds) = (
            rounds, min(rounds, plan.slowPeerRounds), rounds
        )
        (plan.openLoopRounds, plan.stalledRounds) = (rounds, rounds)
        return plan
    }

    func run() throws {
        let report: Report
        do {
            report = try from.map { try Report.read($0) } ?? measure()
            print(report.circumstances)
            print(Table(rows: Rows(report).all).text)
            if publish {
                try Publication(report: report).write(to: Paths.package + "/../docs")
                progress("docs/explanation/performance.md and docs/images/performance.svg are written")
            }
        } catch {
            progress("bench: \(error)")
            throw ExitCode(1)
        }
        if report.disturbance.isHigh {
            progress("the machine was busy with other things: repeat this before believing it")
        }
        let missed = Rows(report).all.filter { $0.isKept == false }
        if !missed.isEmpty {
            progress(
                "missed: " + missed.map { $0.what + ($0.peer.map { " (\($0.name))" } ?? "") }.joined(separator: "; ")
            )
            if !ignoresBounds { throw ExitCode(1) }
        }
    }

    private func measure() throws -> Report {
        let plan = plan
        let directory = FileManager.default.temporaryDirectory.appending(path: "brightnessd-\(UUID())").path
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let program = self.daemon ?? Paths.package + "/../.build/release/brightnessd"
        csystem_guard(plan.limitSeconds)
        try requireDescriptors((plan.crowds.last ?? 0) + 100)
        let parts = only.isEmpty ? Part.allCases : only
        let run = Run(plan: plan, parts: parts, pins: pin, directory: directory)
        let report =
            selfCheck
            ? try run.peersAgainstThemselves()
            : try run.daemonAgainstPeers(
                Brightnessd(path: program, arguments: daemonArguments, stateDirectory: directory + "/state"),
                variant: { displays, name in
                    Brightnessd(
                        path: program,
                        arguments: daemonArguments,
                        stateDirectory: nil,
                        displays: displays,
                        name: name
                    )
                }
            )
        progress("all samples: " + (try report.write(to: results ?? Paths.package + "/results")))
        return report
    }
}
