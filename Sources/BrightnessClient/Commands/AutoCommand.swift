// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import BrightnessCore

struct AutoCommand: ClientCommand {
    static let word = "auto"
    static let abstract = "Switches automatic brightness."
    static let discussion = """
        on: the display follows the light in the room. off: it stays as it is. resume: ends the hold that a manual \
        change began. Without a word it prints whether automatic brightness is on.
        """

    enum Mode: String, CaseIterable, ExpressibleByArgument {
        case on, off, resume
    }

    @Argument(help: "on, off or resume.")
    var mode: Mode?

    func run(_ session: CommandSession) throws {
        switch mode {
        case .on, .off: try session.change(Command(.setAutomatic(mode == .on)))
        case .resume: try resume(session)
        case nil: try session.show("auto") { $0.automatic.text(at: .now) }
        }
    }

    /// Changes only displays where it is on. On the others, `true` would switch it on.
    private func resume(_ session: CommandSession) throws {
        let automatic = try session.client.states(of: session.target).filter(\.automatic.isEnabled)
        guard !automatic.isEmpty else {
            throw ClientError.failed("Automatic brightness is off: \"brightness auto on\" switches it on.")
        }
        for state in automatic {
            try session.change(Target.display(state.id.text).request(Command(.setAutomatic(true))))
        }
    }
}
