// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import BrightnessCore

struct StateCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "state",
        abstract: "Prints the brightness of a display, and why it has it. The default command.",
        aliases: ["get", "g", "info", "i"]
    )

    @OptionGroup var options: ClientOptions

    func run(_ session: CommandSession) throws {
        if session.printsJSON { return try session.terminal.print(session.client.send(session.target.state).text) }
        let states = try session.client.states(of: session.target)
        let holdings = try session.client.holdings(of: session.target, states)
        let texts = states.map { $0.description(session.terminal.style, at: .now, holdings) }
        try session.terminal.print(texts.joined(separator: "\n\n"))
    }
}
