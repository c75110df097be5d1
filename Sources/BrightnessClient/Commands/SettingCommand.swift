// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import BrightnessCore

/// A command that prints or changes one of a display's settings.
protocol SettingCommand: ClientCommand {
    /// The name of the setting, in the request and in messages.
    static var setting: String { get }
    /// The new value; `nil` to print the current one.
    var value: ClientRequest.Value? { get throws }
    /// Whether to give the display the device's own value again.
    var reset: Bool { get }

    /// The setting of a display, for people.
    func text(of state: DisplayState) -> String
}

extension SettingCommand {
    func run(_ session: CommandSession) throws {
        let value = try value
        if reset, value != nil { throw ClientError.usage("Send either a \(Self.setting) or --reset.") }
        guard let value = reset ? .null : value else { return try show(session) }
        let answer = try session.client.send(display(session).set(Self.setting, value))
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
        case .all, .group:
            throw ClientError.usage("A \(Self.setting) is for one display: brightness \(Self.setting) ID VALUE.")
        }
    }

    private func show(_ session: CommandSession) throws {
        if session.printsJSON {
            return try session.terminal.print(session.client.send(display(session).settings).text)
        }
        for state in try session.client.states(of: session.target) { try print(state, session) }
    }

    private func print(_ state: DisplayState, _ session: CommandSession) throws {
        try session.terminal.print("\(session.terminal.style.bold(state.id.text))  \(text(of: state))")
    }
}
