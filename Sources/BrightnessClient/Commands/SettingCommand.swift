// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import BrightnessCore

/// A command that prints or changes one of a display's settings. Its word is the name of the setting.
protocol SettingCommand: ClientCommand {
    /// The change to the device's own value.
    static var unset: DisplaySettings.Change { get }
    /// The change to the new value; `nil` to print the current one.
    var change: DisplaySettings.Change? { get throws }
    /// Whether to give the display the device's own value again.
    var reset: Bool { get }

    /// The setting of a display, for people.
    func text(of state: DisplayState) -> String
}

extension SettingCommand {
    func run(_ session: CommandSession) throws {
        let change = try change
        if reset, change != nil { throw ClientError.usage("Send either a \(Self.word) or --reset.") }
        guard let change = reset ? Self.unset : change else { return try show(session) }
        let response = try session.client.send(display(session).request(Command(.configure(change))))
        if session.printsJSON { return try session.terminal.print(response.text) }
        for state in Results(response.json).states { try print(state, session) }
    }

    /// The display by its id: there is no path `/v1/settings` for the default one.
    private func display(_ session: CommandSession) throws -> Target {
        switch session.target {
        case .display: return session.target
        case .defaultDisplay:
            guard let state = try session.client.states(of: .defaultDisplay).first else {
                throw ClientError.failed("The daemon has no display.")
            }
            return .display(state.id.text)
        case .all, .group:
            throw ClientError.usage("A \(Self.word) is for one display: brightness \(Self.word) ID VALUE.")
        }
    }

    private func show(_ session: CommandSession) throws {
        if session.printsJSON {
            return try session.terminal.print(session.client.send(display(session).reading("settings")).text)
        }
        for state in try session.client.states(of: session.target) { try print(state, session) }
    }

    private func print(_ state: DisplayState, _ session: CommandSession) throws {
        try session.terminal.print("\(session.terminal.style.bold(state.id.text))  \(text(of: state))")
    }
}

struct NameCommand: SettingCommand {
    static let word = "name"
    static let abstract = "Gives a display a name in your own words."
    static let discussion = """
        brightness name DP-1 "Left" names the display with the id DP-1; brightness name DP-1 prints its name. The \
        name is what the dashboard and Home Assistant show. The id stays. A token needs the scope admin.
        """

    @Argument(help: "The name: 1 to 64 characters.")
    var name: String?

    @Flag(help: "Give the display the device's own name again.")
    var reset = false

    static let unset = DisplaySettings.Change(name: .some(nil))

    var change: DisplaySettings.Change? {
        get throws {
            guard let name else { return nil }
            if let name = DisplayName(name) { return DisplaySettings.Change(name: name) }
            throw ClientError.usage(
                "\"\(name.shown)\" is not a name: it has 1 to 64 characters, and no space at an end."
            )
        }
    }

    func text(of state: DisplayState) -> String { state.name }
}

struct CurveCommand: SettingCommand {
    static let word = "curve"
    static let abstract = "Sets how a display's brightness maps to its panel's range."
    static let discussion = """
        linear: the panel's own steps. perceptual: percent as eyes see it, for panels whose steps are linear in \
        light. 0:3,50:30,100:80: points, percent of brightness to percent of the panel; the first and the last are \
        the range in use. brightness curve DP-1 prints it. A token needs the scope admin.
        """

    @Argument(help: "linear, perceptual, or points such as 0:3,50:30,100:80.")
    var curve: String?

    @Flag(help: "Use the daemon's option --curve again, or linear without it.")
    var reset = false

    static let unset = DisplaySettings.Change(curve: .some(nil))

    var change: DisplaySettings.Change? {
        get throws {
            guard let curve else { return nil }
            if let curve = PanelCurve(curve) { return DisplaySettings.Change(curve: curve) }
            throw ClientError.usage(
                """
                "\(curve.shown)" is not a curve: write linear, perceptual, or 2 to \
                \(PanelCurve.Points.limit) points such as 0:3,50:30,100:80, where the first number rises from 0 to \
                100 and the second rises as well.
                """
            )
        }
    }

    func text(of state: DisplayState) -> String { state.range.curve.text() }
}
