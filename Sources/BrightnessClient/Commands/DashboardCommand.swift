// SPDX-License-Identifier: Apache-2.0
import ArgumentParser

struct DashboardCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "dashboard",
        abstract: "Prints the address of the dashboard, for a browser."
    )

    @OptionGroup var options: ClientOptions

    func run(_ session: CommandSession) throws {
        let server = session.client.server
        guard server.socket == nil else {
            throw ClientError.usage("A browser cannot open a Unix socket: name the daemon's address with --server.")
        }
        try session.terminal.print("\(server.url)/")
    }
}
