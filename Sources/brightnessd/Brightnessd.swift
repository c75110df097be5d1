// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import BrightnessClient
import BrightnessCore
import DaemonRuntime
import Devices
import Glibc
import Support

struct Brightnessd: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "brightnessd",
        abstract: "Serves the brightness of this machine's displays over HTTP and server-sent events.",
        usage: "brightnessd [<command>] [<options>]",
        discussion: """
            Without a command, brightnessd serves. Then:

              curl localhost:8787/v1/brightness           the current brightness
              curl -X POST localhost:8787/v1/boost        full brightness for five minutes
              curl -X POST localhost:8787/v1/restore      the previous brightness
              curl -N localhost:8787/v1/events            every change

            The dashboard is at http://localhost:8787.
            """,
        version: ReleaseVersion.text,
        subcommands: [Serve.self, ProbeCommand.self, HealthCheck.self, AvahiCommand.self, LinkCommand.self],
        defaultSubcommand: Serve.self
    )
}

struct ProbeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "probe",
        abstract: "Lists the displays and sensors of this machine, and how to make unusable ones usable.",
        discussion: """
            Run it as the user that the daemon runs as. It only reads, and prints a fix for everything that cannot be \
            used. Exits with 0 if at least one display can be set or switched, else with 1.
            """
    )

    @Option(DaemonOptions.declared.system.sysfsRoot.entry) var sysfsRoot: String?

    @Flag(help: "Print the report as JSON.")
    var json = false

    func run() throws {
        let root = try DaemonOptions.declared.system.sysfsRoot.value(given: sysfsRoot)
        // To stderr, so that programs can parse the report.
        let report = Probe(root: root) { progress in
            Terminal.printError("\(progress) …")
        }.run()
        print(json ? String(decoding: report.json, as: UTF8.self) : report.description)
        if !report.isUsable { throw ExitCode.failure }
    }
}

extension ProbeReport {
    /// `{"usable":…,"tables":[{"title":…,"rows":[{…}],"remarks":[…]}],"remedies":[…]}`
    fileprivate var json: [UInt8] {
        JSONWriter.object { json in
            json.member("usable", isUsable)
            json.member("tables", objects: tables) { json, table in
                json.member("title", table.title)
                json.member("rows", objects: table.rows) { json, row in
                    for (heading, cell) in zip(table.headings, row) {
                        json.name(any: Self.memberName(heading))
                        json.string(cell)
                    }
                }
                json.member("remarks", each: table.remarks) { $0.string($1) }
            }
            json.member("remedies", each: remedies) { $0.string($1) }
        }
    }
}

extension OptionError {
    /// Prints the message alone, without the usage, which does not describe the option; 64 is EX_USAGE.
    var exit: ExitCode {
        Terminal.printError("brightnessd: \(description)")
        return .validationFailure
    }
}
