// SPDX-License-Identifier: Apache-2.0
import ArgumentParser

@main
struct Brightnessd: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "brightnessd",
        abstract: "Serves the brightness of this machine's displays over HTTP and server-sent events.",
        discussion: """
            Without a command it serves. Then:

              curl localhost:8787/v1/brightness           what the screen shows
              curl -X POST localhost:8787/v1/boost        full brightness, for five minutes at most
              curl -X POST localhost:8787/v1/restore      back to what it was
              curl -N localhost:8787/v1/events            every change, as it happens

            A page with the live value is at http://localhost:8787.
            """,
        version: Version.text,
        subcommands: [Serve.self, ProbeCommand.self, HealthCheck.self],
        defaultSubcommand: Serve.self
    )
}

enum Version {
    static let text = "0.1.0"
}
