// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CSystem
import FoundationEssentials

@main
struct Bench: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bench",
        abstract: "Measures brightnessd beside the least that can do the same work, in one run.",
        discussion: """
            Starts each server as a child on 127.0.0.1 with one thread, one after the other in short rounds, and
            prints one table of medians and ratios:

              - CPU time per delivered event, at 9,000 event streams, beside a bare epoll loop in C (epoll-limit)
              - user memory per event stream, as the slope from 1,000 to 9,000 streams
              - GET of the state on 32 keep-alive connections, beside a handler in C on libmicrohttpd (mhd-minimal)
              - boosts granted and released on as many, written to the journal, beside the same without a journal

            CPU time is the server's own, user and system. It holds on a busy machine too; rates do not.
            Exit status: 0 when every bound is kept, 1 when one is missed or something failed.
            All samples go to Benchmarks/results/ as JSON. docs/performance.md explains the method.

            EXAMPLES
              bench                      all of it, about four minutes
              bench --quick              under two minutes
              bench --self-check         the peers against themselves: every ratio should be near 1
              bench --only get --daemon ./brightnessd
            """
    )

    enum Part: String, ExpressibleByArgument, CaseIterable {
        case fanOut = "fan-out"
        case get
        case boosts
    }

    @Flag(help: "Fewer and shorter rounds: under two minutes instead of about four.")
    var quick = false

    @Option(help: "Measure only this.")
    var only: Part?

    @Option(
        help: ArgumentHelp("The daemon's program. (default: the release build beside this package)", valueName: "path")
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

    @Option(help: "Event streams of each server.")
    var streams: Int?

    @Option(help: "Rounds of every measurement.")
    var rounds: Int?

    @Option(help: ArgumentHelp("Where the JSON goes. (default: results in this package)", valueName: "directory"))
    var results: String?

    func validate() throws {
        guard (streams ?? 9000) > Plan.full.fewStreams, (streams ?? 9000) < 19_000 else {
            throw ValidationError("--streams must be more than \(Plan.full.fewStreams) and less than 19000.")
        }
        guard (rounds ?? 1) >= 1 else { throw ValidationError("--rounds must be at least 1.") }
    }

    func run() throws {
        var plan = quick ? Plan.quick : Plan.full
        plan.streams = streams ?? plan.streams
        plan.fanOutRounds = rounds ?? plan.fanOutRounds
        plan.getRounds = rounds ?? plan.getRounds
        plan.boostRounds = rounds ?? plan.boostRounds
        let run = Run(plan: plan, parts: only.map { [$0] } ?? Part.allCases, pins: pin, isSelfCheck: selfCheck)
        let directory = FileManager.default.temporaryDirectory.appending(path: "brightnessd-\(UUID())")
        defer { try? FileManager.default.removeItem(at: directory) }
        let program = self.daemon ?? Paths.package + "/../.build/release/brightnessd"
        func daemon(_ stateDirectory: String?) -> Brightnessd {
            Brightnessd(path: program, arguments: daemonArguments, stateDirectory: stateDirectory)
        }
        let brightnessd = daemon(directory.path)
        let report: Report
        do {
            csystem_guard(plan.limitSeconds)
            try requireDescriptors(plan.streams + 100)
            report =
                selfCheck
                ? try run.peersAgainstThemselves()
                : try run.daemonAgainstPeers(brightnessd, withoutJournal: daemon(nil))
            progress("all samples: " + (try report.write(to: results ?? Paths.package + "/results")))
        } catch {
            progress("bench: \(error)")
            throw ExitCode(1)
        }
        print(report.hardware.text + "; meanwhile " + report.disturbance.text)
        print(Table(subjectName: selfCheck ? "itself" : brightnessd.name, rows: report.rows).text)
        if report.disturbance.isHigh {
            progress("the machine was busy with other things: repeat this before believing it")
        }
        let missed = report.rows.filter { $0.isKept == false }
        if !missed.isEmpty {
            progress("missed: " + missed.map(\.what).joined(separator: "; "))
            if !ignoresBounds { throw ExitCode(1) }
        }
    }
}
