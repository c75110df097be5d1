// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import BrightnessCore

struct NameCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "name",
        abstract: "Gives a display a name in your own words.",
        discussion: """
            brightness name DP-1 "Left" names the display with the id DP-1; brightness name DP-1 prints its name. The \
            name is what the dashboard and Home Assistant show. The id stays. A token needs the scope admin.
            """
    )

    @OptionGroup var options: ClientOptions

    @Argument(help: "The name: 1 to 64 characters.")
    var name: String?

    @Flag(help: "Give the display the device's own name again.")
    var reset = false

    func run(_ session: CommandSession) throws {
        if reset, name != nil { throw ClientError.usage("Send either a name or --reset.") }
        guard name != nil || reset else { return try show(session) }
        let display = try display(session)
        let value: ClientRequest.Value = name.map { .text($0) } ?? .null
        let answer = try session.client.send(display.set("name", value))
        if session.printsJSON { return try session.terminal.print(answer.text) }
        for state in Results(answer.json).states { try print(state, session) }
    }

    /// The display, by its id: a shortcut of the default one has no settings.
    private func display(_ session: CommandSession) throws -> Target {
        switch session.target {
        case .display: return session.target
        case .preferred:
            guard let state = try session.client.states(of: .preferred).first else {
                throw ClientError.failed("The daemon has no display.")
            }
            return .display(state.id.text)
        case .all, .group: throw ClientError.usage("A name is for one display: brightness name ID \"NAME\".")
        }
    }

    private func show(_ session: CommandSession) throws {
        if session.printsJSON {
            return try session.terminal.print(session.client.send(display(session).settings).text)
        }
        for state in try session.client.states(of: session.target) { try print(state, session) }
    }

    private func print(_ state: DisplayState, _ session: CommandSession) throws {
        try session.terminal.print("\(session.terminal.style.bold(state.id.text))  \(state.name)")
    }
}
