// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import BrightnessCore

struct ListCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "Lists the displays.",
        aliases: ["ls", "l"]
    )

    @OptionGroup var options: ClientOptions

    @Flag(help: "Print only the ids, one per line.")
    var ids = false

    func run(_ session: CommandSession) throws {
        let target = Target(options.display ?? "all")
        if session.printsJSON { return try session.terminal.print(session.client.send(target.state).text) }
        let states = try session.client.states(of: target)
        if ids {
            for state in states { try session.terminal.print(state.id.text) }
        } else {
            try session.terminal.print(DisplayState.table(states, session.terminal.style))
        }
    }
}
