// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import BrightnessCore

struct StateCommand: ClientCommand {
    static let word = "state"
    static let abstract = "Prints a display's brightness and its last change. The default command."
    static let aliases = ["get", "g", "info", "i"]

    func run(_ session: CommandSession) throws {
        if session.printsJSON { return try session.terminal.print(session.client.send(session.target.state).text) }
        let states = try session.client.states(of: session.target)
        let heldLeases = try session.client.heldLeases(of: session.target, states)
        let texts = states.map { $0.description(session.terminal.style, at: .now, heldLeases) }
        try session.terminal.print(texts.joined(separator: "\n\n"))
    }
}

struct ListCommand: ClientCommand {
    static let word = "list"
    static let abstract = "Lists the displays."
    static let discussion = "Without --display it lists every display, also if BRIGHTNESS_DISPLAY is set."
    static let aliases = ["ls", "l"]

    @Flag(help: "Print only the ids, one per line.")
    var ids = false

    func run(_ session: CommandSession) throws {
        let target = Target(session.options.display ?? "all")
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
    static let word = "light"
    static let abstract = "Prints the light in the room, and what each sensor reads."

    func run(_ session: CommandSession) throws {
        try session.send(ClientRequest("GET", "/v1/ambient"), reading: Ambient.init(reading:)) { light in
            try session.terminal.print(light.description(session.terminal.style))
        }
    }
}

struct DashboardCommand: ClientCommand {
    static let word = "dashboard"
    static let abstract = "Prints the address of the dashboard, for a browser."

    func run(_ session: CommandSession) throws {
        let server = session.client.server
        guard server.socket == nil else {
            throw ClientError.usage("A browser cannot open a Unix socket: name the daemon's address with --server.")
        }
        try session.terminal.print("\(server.url)/")
    }
}
