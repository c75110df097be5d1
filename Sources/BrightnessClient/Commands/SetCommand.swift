// SPDX-License-Identifier: Apache-2.0
import ArgumentParser

struct SetCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "set",
        abstract: "Sets the baseline: what a display shows without a boost.",
        discussion: """
            During a boost the display stays where it is, and the new baseline follows the boost.

              40%, 0.4       absolute
              +5%, -5%       relative; 5%+ and 5%- mean the same, and 0.05 is 5%
              raw:480        a step of the panel
            """,
        aliases: ["s"]
    )

    @OptionGroup var options: ClientOptions

    @Option(help: ArgumentHelp("How long the display takes to change.", valueName: "seconds"))
    var transition: String?

    @Option(help: ArgumentHelp("Why, for everybody who watches.", valueName: "text"))
    var reason: String?

    @Argument(help: ArgumentHelp("The brightness: \(Level.forms).", valueName: "level"))
    var text: String

    func run(_ session: CommandSession) throws {
        var members: [(String, JSON.Scalar)] = []
        if let transition {
            // A transition of 0 is at once.
            let seconds = try transition == "0" ? 0 : span(transition, of: "--transition").seconds
            members.append(("transition", .number(seconds)))
        }
        if let reason { members.append(("reason", .text(reason))) }
        try session.change(session.target.set(level(text), members))
    }
}
