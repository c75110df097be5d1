// SPDX-License-Identifier: Apache-2.0
import ArgumentParser

struct PowerCommand: ClientCommand {
    enum Switch: String, ExpressibleByArgument, CaseIterable {
        case on, off
    }

    static let configuration = CommandConfiguration(
        commandName: "power",
        abstract: "Switches a display on or off until somebody changes that."
    )

    @OptionGroup var options: ClientOptions

    @Argument(help: "on or off.")
    var state: Switch

    func run(_ session: CommandSession) throws { try session.change(session.target.power(isOn: state == .on)) }
}
