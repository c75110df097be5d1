// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import BrightnessCore

struct PresetsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "presets",
        abstract: "Lists, edits and applies presets: values for several displays.",
        discussion: """
              brightness presets set film left=30% right=off
              brightness presets save day             as the displays are now
              brightness presets apply film
              brightness presets apply film --for 1h  by leases, then as before
              brightness presets remove film

            The displays of a preset are ids, patterns such as hall:*, group:NAME, tag:NAME or all. The most specific \
            one counts.
            """,
        subcommands: [
            ListPresetsCommand.command, SetPresetCommand.command, SavePresetCommand.command, ApplyPresetCommand.command,
            RemovePresetCommand.command,
        ],
        defaultSubcommand: ListPresetsCommand.command
    )
}

struct ListPresetsCommand: ClientCommand {
    static let word = "list"
    static let abstract = "Lists the presets."

    func run(_ session: CommandSession) throws {
        try session.send(ClientRequest("GET", "/v1/presets"), reading: Preset.read) { presets in
            if presets.isEmpty {
                session.terminal.warn("There is no preset: brightness help presets shows how to add one.")
            }
            for preset in presets { try session.terminal.print(preset.line(session.terminal.style)) }
        }
    }
}

struct SetPresetCommand: ClientCommand {
    static let word = "set"
    static let abstract = "Adds or replaces a preset."

    @Argument(help: "The name of the preset.")
    var name: String

    @Argument(
        help: ArgumentHelp("A display and its value: left=30%, right=off, all=40%,on.", valueName: "display=value")
    )
    var values: [String] = []

    func run(_ session: CommandSession) throws {
        var rules: [Preset.Rule] = []
        for text in values { rules.append(try rule(text)) }
        try session.store(name, rules)
    }

    private func rule(_ text: String) throws(ClientError) -> Preset.Rule {
        guard let sign = text.lastIndex(of: "="), let displays = PresetDisplays(String(text[..<sign])) else {
            throw .usage("\"\(text.shown)\" is not a display with its value: write left=30%, right=off or all=40%,on.")
        }
        var (brightness, isOn): (Brightness?, Bool?)
        for word in text[text.index(after: sign)...].split(separator: ",", omittingEmptySubsequences: false) {
            switch word {
            case "on": isOn = true
            case "off": isOn = false
            default:
                brightness = try fraction(String(word), for: "a preset")
            }
        }
        guard let value = PresetValue(brightness: brightness, isOn: isOn) else {
            throw .usage("\"\(text.shown)\" has no value: write 30%, on or off after the \"=\".")
        }
        return Preset.Rule(displays, value)
    }
}

struct SavePresetCommand: ClientCommand {
    static let word = "save"
    static let abstract = "Adds or replaces a preset with the displays as people have set them now."
    static let discussion = """
        Without --display and BRIGHTNESS_DISPLAY the preset has every display. Boosts and dims in force do not count.
        """

    @Argument(help: "The name of the preset.")
    var name: String

    func run(_ session: CommandSession) throws {
        let target = session.target == .defaultDisplay ? .all : session.target
        let rules = try session.client.states(of: target).compactMap { state -> Preset.Rule? in
            let value = PresetValue(
                brightness: state.isDimmable ? state.baseline : nil,
                isOn: state.power.isSwitchable ? state.power.baseline : nil
            )
            guard let displays = PresetDisplays(state.id.text), let value else { return nil }
            return Preset.Rule(displays, value)
        }
        guard !rules.isEmpty else { throw ClientError.failed("The daemon has no display that can be set.") }
        guard rules.count <= Preset.mostRules else {
            throw ClientError.usage(
                """
                A preset names at most \(Preset.mostRules) displays, and these are \(rules.count): name some with \
                --display, or write patterns: brightness presets set \(name.shown) all=40%.
                """
            )
        }
        try session.store(name, rules)
    }
}

struct ApplyPresetCommand: ClientCommand {
    static let word = "apply"
    static let abstract = "Sets displays to the values of a preset."

    @Argument(help: "The name of the preset.")
    var name: String

    @Option(
        "time",
        "Hold the values by leases for this time, at most 1 h. Then the displays are as before.",
        name: [.customLong("for"), .customLong("ttl")]
    )
    var ttl: String?

    @Option("name", "The holder of the leases. [default: preset]") var holder: String?

    @Option("time", "How long each change takes: 5, 90s, 5m.") var transition: String?

    func run(_ session: CommandSession) throws {
        if let display = session.options.display, display != "all" {
            throw ClientError.usage("A preset has displays of its own: leave -d \(display.shown) out.")
        }
        let time = try ttl.map { ttl in
            try span(ttl, of: "--for").checked(upTo: PresetRequest.Terms.longestTTL, of: "A preset is held for")
        }
        let transition = try BrightnessClient.transition(transition)
        let request = ClientRequest("POST", "\(session.path(of: name))/apply") { json in
            if let time { json.member("ttl", decimal: time.seconds) }
            if let holder { json.member("holder", holder) }
            if let transition { json.member("transition", decimal: transition / .seconds(1)) }
        }
        try session.change(request)
    }
}

struct RemovePresetCommand: ClientCommand {
    static let word = "remove"
    static let abstract = "Removes a preset. Displays stay as they are."
    static let aliases = ["rm"]

    @Argument(help: "The name of the preset.")
    var name: String

    func run(_ session: CommandSession) throws {
        try session.remove(name, at: session.path(of: name))
    }
}

extension CommandSession {
    fileprivate func path(of name: String) -> String { "/v1/presets/\(name.percentEncoded())" }

    fileprivate func store(_ name: String, _ rules: [Preset.Rule]) throws {
        guard let name = ResourceName(name) else {
            throw ClientError.usage("\"\(name.shown)\" is not a name: it has 1 to 64 characters, and no \"/\".")
        }
        guard let preset = Preset(name, rules) else {
            throw ClientError.usage(
                """
                A preset has 1 to \(Preset.mostRules) displays, each once: brightness presets set \(name.text.shown) \
                left=30% right=off.
                """
            )
        }
        let request = ClientRequest("PUT", path(of: name.text)) { json in
            json.member("displays", raw: preset.rulesJSON)
        }
        try send(request, reading: Preset.init(reading:)) { try terminal.print($0.line(terminal.style)) }
    }
}
