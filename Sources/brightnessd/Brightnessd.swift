// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import DaemonRuntime
import Devices
import Glibc

@main
struct Brightnessd: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "brightnessd",
        abstract: "Serves the brightness of this machine's displays over HTTP and server-sent events.",
        discussion: """
            Without a command, brightnessd serves. Then:

              curl localhost:8787/v1/brightness           the current brightness
              curl -X POST localhost:8787/v1/boost        full brightness for at most five minutes
              curl -X POST localhost:8787/v1/restore      the previous brightness
              curl -N localhost:8787/v1/events            every change

            The dashboard is at http://localhost:8787.
            """,
        version: Version.text,
        subcommands: [Serve.self, ProbeCommand.self, HealthCheck.self],
        defaultSubcommand: Serve.self
    )
}

enum Version {
    static let text = "0.1.0"
}

struct Serve: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Serves until SIGTERM or SIGINT; then restores boosted displays and ends every stream."
    )

    @OptionGroup var options: ServeOptions

    func run() throws {
        do {
            try Daemon.run(OptionValues(options.given), version: Version.text)
        } catch let error as OptionError {
            throw ValidationError(error.description)
        } catch is Daemon.StartFailure {
            throw ExitCode.failure
        }
    }
}

struct ProbeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "probe",
        abstract: "Lists the displays and sensors of this machine, and how to make unusable ones usable.",
        discussion: """
            Run it as the user that the daemon runs as. It only reads, and prints a fix for everything that cannot be \
            used. Exits with 0 if the brightness of at least one display can be set, else with 1.
            """
    )

    @Option(.sysfsRoot) var sysfsRoot: String?

    func run() throws {
        let root = try value(of: .sysfsRoot, sysfsRoot) { $0.isEmpty ? nil : $0 } ?? "/sys"
        // To stderr, so that programs can parse the report.
        let report = Probe(root: root) { progress in
            let line = Array("\(progress) …\n".utf8)
            write(STDERR_FILENO, line, line.count)
        }.run()
        print(report)
        if !report.isUsable { throw ExitCode.failure }
    }
}
