// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import BrightnessCore

struct OrderCommand: ClientCommand {
    static let word = "order"
    static let abstract = "Sets the order of the displays on the dashboard."
    static let discussion = """
        brightness order DP-2 DP-1 shows DP-2 first, then DP-1, then all others; brightness order prints the \
        displays that have a position. A token needs the scope admin.
        """

    @Argument(help: ArgumentHelp("The displays, the first one first.", valueName: "display"))
    var displays: [String] = []

    @Flag(help: "Order the displays by kind and name again.")
    var reset = false

    func run(_ session: CommandSession) throws {
        if reset, !displays.isEmpty { throw ClientError.usage("Send either displays or --reset.") }
        let states = try session.client.states(of: .all)
        let placed = states.filter { $0.position != nil }
            .sorted { ($0.position?.number ?? 0) < ($1.position?.number ?? 0) }
        // Checked before the first change.
        for display in displays where !states.contains(where: { $0.id.text == display }) {
            throw ClientError.usage("There is no display \"\(display.shown)\". brightness list shows every display.")
        }
        guard Set(displays).count == displays.count else { throw ClientError.usage("Name each display once.") }
        if displays.isEmpty, !reset {
            if session.printsJSON { return try session.terminal.print(session.client.send(Target.all.state).text) }
            return try show(placed, session)
        }
        for (index, display) in displays.enumerated() {
            try move(display, to: DisplaySettings.Position(index + 1), session)
        }
        for state in placed where !displays.contains(state.id.text) {
            try move(state.id.text, to: nil, session)
        }
        if session.printsJSON { return }
        try show(displays.compactMap { id in states.first { $0.id.text == id } }, session)
    }

    private func show(_ order: [DisplayState], _ session: CommandSession) throws {
        if order.isEmpty {
            session.terminal.warn("No display has a position: brightness help order shows how to give one.")
        }
        for state in order { try session.terminal.print(state.line(session.terminal.style)) }
    }

    private func move(_ display: String, to position: DisplaySettings.Position?, _ session: CommandSession) throws {
        let command = Command(.configure(DisplaySettings.Change(position: .some(position))))
        let response = try session.client.send(Target.display(display).request(command))
        if session.printsJSON { try session.terminal.print(response.text) }
    }
}
