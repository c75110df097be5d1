// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import BrightnessCore

struct SetCommand: ClientCommand {
    static let word = "set"
    static let abstract = "Sets the baseline: what a display shows without a boost."
    static let discussion = """
        During a boost the display stays as it is. It shows the new baseline when the boost ends.

          40, 40%, 0.4   absolute
          +5, -5%        relative; 5%+ and 5%- mean the same, and 0.05 is 5%
          raw:480        a step of the display
        """
    static let aliases = ["s"]

    @Option("time", "How long the display takes to change: 0, 5, 90s, 5m.") var transition: String?

    @Option("text", "The reason, which every client sees.") var reason: String?

    @Argument(help: ArgumentHelp("The brightness: \(LevelArgument.forms).", valueName: "level"))
    var text: String

    func run(_ session: CommandSession) throws {
        try session.change(
            Command(levelArgument(text).action, reason: reason, transition: BrightnessClient.transition(transition))
        )
    }
}
