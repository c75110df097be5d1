// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import BrightnessCore

struct StateCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "state",
        abstract: "Prints a display's brightness and its last change. The default command.",
        aliases: ["get", "g", "info", "i"]
    )

    @OptionGroup var options: ClientOptions

    func run(_ session: CommandSession) throws {
        if session.printsJSON { return try session.terminal.print(session.client.send(session.target.state).text) }
        let states = try session.client.states(of: session.target)
        let heldLeases = try session.client.heldLeases(of: session.target, states)
        let texts = states.map { $0.description(session.terminal.style, at: .now, heldLeases) }
        try session.terminal.print(texts.joined(separator: "\n\n"))
    }
}

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

struct LightCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "light",
        abstract: "Prints the light in the room, and what each sensor reads."
    )

    @OptionGroup var options: ClientOptions

    func run(_ session: CommandSession) throws {
        try session.send(ClientRequest("GET", "/v1/ambient"), reading: Ambient.init(reading:)) { light in
            try session.terminal.print(light.description(session.terminal.style))
        }
    }
}

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
