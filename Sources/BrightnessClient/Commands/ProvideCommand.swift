// SPDX-License-Identifier: Apache-2.0
import ArgumentParser

struct ProvideCommand: ClientCommand {
    static let word = "provide"
    static let abstract = "Adds a display that commands control, for a screen that the daemon cannot set itself."
    static let usage: String? = """
        brightness provide <id> --set <command> [<options>]
        brightness provide <id> --on <command> --off <command> [<options>]
        """
    static let discussion = """
        Runs until it is ended, and connects again when the connection is lost. The display has everything that \
        others have: leases, schedules, idle, Home Assistant.

          brightness provide wall --set 'ddcutil setvcp 10 {percent}'
          brightness provide tv --on 'wlopm --on DP-1' --off 'wlopm --off DP-1'

        A command is split into words, with quotes as in a shell, but runs without a shell: it has no variables, \
        pipes or wildcards. {percent} is 0 to 100 and {step} 0 to --maximum. One command runs at a time, for at \
        most 10 seconds; the newest brightness has priority. If a command fails, the daemon tries again.

        --get prints what the display shows: a percent, on or off, as the last word of its first line. A \
        difference from what was set is a person's change, which has priority over leases.

        It ends with the status 0 when another client of the same user provides the display.
        """

    @Argument(help: ArgumentHelp("The id of the display: letters, digits, and _ . -", valueName: "id"))
    var id: String

    @Option(help: ArgumentHelp("The displayed name. [default: the id]", valueName: "text"))
    var name: String?

    @Option("command", "Command that sets the brightness; {percent} or {step} is replaced.") var set: String?

    @Option("command", "Command that switches the display on.") var on: String?

    @Option("command", "Command that switches it off.") var off: String?

    @Option("command", "Command that prints what it shows: a percent, on or off.") var get: String?

    @Option(help: ArgumentHelp("The brightest step; the darkest is 0. [default: 100]", valueName: "number"))
    var maximum: Int?

    @Option(help: ArgumentHelp("The time between two runs of --get. [default: 5s]", valueName: "time"))
    var poll: String?

    func run(_ session: CommandSession) throws {
        let inherited = InheritedDescriptors()
        let commands = try ProvidedCommands(set: set, on: on, off: off, get: get, maximum: maximum)
        guard poll == nil || get != nil else { throw ClientError.usage("--poll requires --get.") }
        let pause = try span(poll ?? "5s", of: "--poll").seconds
        let display = ProviderClient.Display(id: id, name: name, commands: commands, poll: .seconds(pause))
        let client = try ProviderClient(display, at: session.client.server, session.terminal, inherited)
        throw ExitCode(try client.run())
    }
}
