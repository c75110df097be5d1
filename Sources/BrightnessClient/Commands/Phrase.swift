// SPDX-License-Identifier: Apache-2.0
package import ArgumentParser
import BrightnessCore
import Support

/// A command as a person writes it, such as `boost 80% 10m` or `off hall`, and its expansion to the words that
/// ArgumentParser reads. Rules only.
struct Phrase {
    /// The command's name, or the first word if it is not a command.
    private(set) var command: String
    /// Options and their values.
    var options: [String] = []
    /// The other words after the command.
    var operands: [String] = []
    /// Whether an option names the display.
    var isForDisplay: Bool

    /// - Parameter verb: The first word.
    init(_ verb: String, isForDisplay: Bool) {
        command = verb
        self.isForDisplay = isForDisplay
        if let known = Self.synonyms[verb] {
            command = known[0]
            operands = Array(known.dropFirst())
        } else if Self.isLevel(verb) {
            command = "set"
            operands = [verb]
        }
    }

    /// Words that people try in place of a command, and the words that they stand for.
    private static let synonyms = [
        "off": ["power", "off"], "on": ["power", "on"], "toggle": ["power", "toggle"],
        "up": ["set", "up"], "raise": ["set", "up"], "increase": ["set", "up"], "inc": ["set", "up"],
        "brighter": ["set", "up"], "down": ["set", "down"], "lower": ["set", "down"], "decrease": ["set", "down"],
        "dec": ["set", "down"], "darker": ["set", "down"], "max": ["set", "max"], "min": ["set", "min"],
        "unboost": ["restore"], "stop": ["restore"], "undim": ["restore", "dim"], "s": ["set"],
        "status": ["state"], "show": ["state"], "displays": ["list"], "devices": ["list"], "monitors": ["list"],
        "log": ["history"], "schedule": ["schedules"], "preset": ["presets"], "completion": ["completions"],
        "config": ["configuration"], "export": ["configuration", "export"], "import": ["configuration", "import"],
        "ambient": ["light"], "lux": ["light"], "rename": ["name"], "version": ["--version"],
        "location": ["schedules", "location"], "place": ["schedules", "location"],
    ]

    /// The words that ArgumentParser reads: the command, after which the common options go, and its own options and
    /// operands.
    ///
    /// - Throws: `ClientError.usage` with what was probably meant.
    func expanded() throws(ClientError) -> (head: [String], rest: [String]) {
        switch command {
        case "set": ([command], options + wordsOfLevel)
        case _ where Self.isLease(command): try expandedLease()
        case "power" where operands.contains(where: { Span($0) != nil || $0 == "until" }):
            throw ClientError.usage(
                "power has no time. To switch for a time: brightness sleep 10m, or wake until 07:00."
            )
        case "power": ([command], options + wordsOfChoice(among: ["on", "off", "toggle"]))
        case "auto": ([command], options + wordsOfChoice(among: ["on", "off", "resume"]))
        case "restore":
            ([command], options + operands.flatMap { [LeaseKind(rawValue: $0) == nil ? "-d" : "--kind", $0] })
        case "history": ([command], options + operands.flatMap { [Span($0) == nil ? "-d" : "--since", $0] })
        case _ where Self.readers.contains(command): ([command], options + operands.flatMap { ["-d", $0] })
        case "name", "curve": ([command], options + wordsOfSetting)
        case _ where Self.isCommand(command): try expandedNested()
        default: throw unknownCommand
        }
    }

    /// Commands that take no word but a display.
    private static let readers: Set = ["state", "get", "g", "info", "i", "list", "ls", "l", "watch"]

    /// Whether a command of the user's may follow `--`; also of an unknown word, such as a mistyped lease.
    var runsCommand: Bool { Self.isLease(command) || !Self.isCommand(command) }

    private static func isCommand(_ word: String) -> Bool {
        word == "help" || word.hasPrefix("-") || BrightnessCommand.subcommands[word] != nil
    }

    // MARK: Unknown commands

    /// Hints for commands of brightnessd, and for words that people try.
    private static let hints = [
        "serve": "That is brightnessd.", "probe": "That is brightnessd probe.", "doctor": "That is brightnessd probe.",
        "link": "That is brightnessd link.", "login": "That is brightnessd link.",
        "avahi": "That is brightnessd avahi.", "healthcheck": "That is brightnessd healthcheck.",
        "identify": "brightness -d ID boost 10s shows which display it is.",
        "follow": "That is an option of the daemon: brightnessd --follow DP-1=intel_backlight.",
    ]

    private var unknownCommand: ClientError {
        let shown = command.shown
        let known = BrightnessCommand.subcommands.keys.sorted() + Self.synonyms.keys.sorted()
        // Before a level or a command it may be a display. Commands that take neither are not meant.
        let mayBeDisplay = operands.first.map { Self.isLevel($0) || known.contains($0) } ?? false
        let unmeant = mayBeDisplay ? Self.readers.union(["light"]) : []
        let nearest = Suggestion.nearest(
            to: command,
            among: known.filter { !unmeant.contains(Phrase($0, isForDisplay: false).command) }
        )
        let meant =
            if let hint = Self.hints[command] {
                hint
            } else if let nearest {
                "Did you mean \(nearest)?"
            } else if mayBeDisplay {
                "For a display of this name: brightness -d \(shown) \(operands.map(Self.typed).joined(separator: " "))."
            } else {
                """
                For a display of this name: brightness -d \(shown). For a preset: brightness presets apply \(shown). \
                brightness --help lists the commands.
                """
            }
        return .usage("There is no command \"\(shown)\". \(meant)")
    }

    /// The word as it was typed, such as `-5%`, which `Arguments` writes as `5%-` for the parser.
    private static func typed(_ word: String) -> String {
        (isLevel(word) && word.hasSuffix("-") ? "-\(word.dropLast())" : word).shown
    }

    /// The error for a word that is not a subcommand of this command.
    private func unknownSubcommand(_ verb: String, among names: [String]) -> ClientError {
        let words = operands.dropFirst().map { " \($0.shown)" }.joined()
        let nearest = Suggestion.nearest(to: verb, among: names + Self.nestedSynonyms.keys.sorted())
        let meant =
            if let nearest {
                "Did you mean brightness \(command) \(nearest)\(words)?"
            } else if command == "presets" {
                "To apply a preset of this name: brightness presets apply \(verb.shown)."
            } else {
                "The commands are \(Suggestion.list(names))."
            }
        return .usage("There is no command \"\(command) \(verb.shown)\". \(meant)")
    }

    // MARK: Commands

    /// A level, and perhaps a display before or after it.
    private var wordsOfLevel: [String] {
        var texts: [String] = []
        for text in operands {
            // Two words, as in "50 %".
            if text == "%", let last = texts.popLast() { texts.append(last + text) } else { texts.append(text) }
        }
        if texts.count > 1, texts.first == "to" { texts.removeFirst() }
        if let sign = texts.first.flatMap({ ["up": "+", "down": "-"][$0] }) {
            texts.removeFirst()
            let step = texts.first.flatMap { Self.isLevel($0) ? $0 : nil }
            if step != nil { texts.removeFirst() }
            texts.insert((step ?? "10%") + sign, at: 0)
        }
        let hasLevel = texts.contains(where: Self.isLevel)
        return texts.flatMap { Target.isSeveral($0) || (hasLevel && !Self.isLevel($0)) ? ["-d", $0] : [$0] }
    }

    /// A brightness and a time in any order, `until` with a time of the day, a display at the end. `off` ends the
    /// lease.
    private func expandedLease() throws(ClientError) -> (head: [String], rest: [String]) {
        if let only = operands.first, operands.count == 1, ["off", "stop", "end"].contains(only) {
            return (["restore"], options + (command == "boost" ? [] : ["--kind", command]))
        }
        var rest = operands[...]
        var words: [String] = []
        while let word = rest.popFirst() {
            switch word {
            case _ where Target.isSeveral(word): words += ["-d", word]
            case _ where ["to", "at", "for"].contains(word) && !rest.isEmpty: break
            case "until", "till":
                if let time = rest.first, ClockTime(time) == nil, ScheduleTime(time) != nil {
                    throw .usage("A schedule may end at \(time), a \(command) may not: brightness help schedules.")
                }
                words += ["--until"] + (rest.popFirst().map { [$0] } ?? [])
            default: words += try leaseOption(for: word, before: Array(rest))
            }
        }
        return ([command], options + words)
    }

    /// The option for a level, a time or a display.
    private func leaseOption(for word: String, before rest: [String]) throws(ClientError) -> [String] {
        let hasBrightness = LeaseKind(rawValue: command)?.defaultBrightness != nil
        if !hasBrightness, word.allSatisfy(\.isNumber) {
            throw .usage("\"\(word)\" has no unit: write \(word)s, \(word)m or \(word)h.")
        }
        if Self.isLevel(word) {
            guard !hasBrightness else { return ["--brightness", word] }
            throw .usage("A \(command) has no brightness: leave \(word) out, or boost or dim the display to it.")
        }
        if Span(word) != nil { return ["--ttl", word] }
        if let time = ClockTime(word) { throw .usage("\"\(word)\" is a time of the day: write until \(time.text).") }
        // The last word is the display, unless an option names one.
        if !isForDisplay, rest.isEmpty { return ["-d", word] }
        let more = ([word] + rest).map(\.shown).joined(separator: " ")
        throw .usage(
            """
            "\(word.shown)" is neither a brightness nor a time. To run a command during the \(command): \
            brightness \(command) -- \(more).
            """
        )
    }

    /// The display, unless an option names it, and the new value. A curve may stand before its display.
    private var wordsOfSetting: [String] {
        let isCurve = command == "curve"
        guard !isForDisplay, let index = operands.firstIndex(where: { !isCurve || PanelCurve($0) == nil }) else {
            return operands
        }
        var values = operands
        return ["-d", values.remove(at: index)] + values
    }

    /// One of the words that a command has, and perhaps a display before or after it.
    private func wordsOfChoice(among words: Set<String>) -> [String] {
        let hasWord = operands.contains(where: words.contains)
        return operands.flatMap { Target.isSeveral($0) || (hasWord && !words.contains($0)) ? ["-d", $0] : [$0] }
    }

    private static let nestedSynonyms = [
        "add": "set", "new": "set", "create": "set", "edit": "set", "delete": "remove", "disable": "pause",
        "off": "pause", "enable": "resume", "on": "resume",
    ]

    /// A subcommand such as `presets apply`, and its operands; the operands alone for a command without subcommands.
    private func expandedNested() throws(ClientError) -> (head: [String], rest: [String]) {
        let verbs = BrightnessCommand.subcommands[command]?.subcommands ?? [:]
        guard !verbs.isEmpty, let verb = operands.first else { return ([command], options + operands) }
        let name = Self.nestedSynonyms[verb] ?? verb
        guard verbs[name] != nil else { throw unknownSubcommand(verb, among: verbs.keys.sorted()) }
        let (subject, rest) = (operands.dropFirst().prefix(1), operands.dropFirst(2))
        // The subject is the name of the schedule or preset. A display may follow it.
        let takesDisplay = name == "save" || name == "apply" || (command, name) == ("schedules", "set")
        return ([command, name], options + subject + rest.flatMap { takesDisplay ? ["-d", $0] : [$0] })
    }

    // MARK: Words

    /// Whether it looks like a level, also like an impossible one: the command explains that.
    static func isLevel(_ text: String) -> Bool {
        let digits = text.drop { "+-=".contains($0) }
        return LevelArgument(text) != nil
            || (digits.first?.isNumber ?? false) && digits.allSatisfy { $0.isNumber || "%.+-".contains($0) }
    }

    /// Options that people know from other programs, and what they mean here.
    static func meaning(ofOption name: String, of command: String) -> String? {
        // Its commands have these names.
        if command == "provide", ["--get", "--set", "--on", "--off"].contains(name) { return nil }
        return switch name {
        case "--time", "--duration", "--timeout", "--expire": isLease(command) ? "--for 10m" : nil
        case "--level", "--percent", "--value":
            isLease(command) ? "--brightness 80%" : command == "set" ? "brightness set 80%" : nil
        case "--at", "--end": isLease(command) ? "--until 07:00" : nil
        case "--host", "--url", "--address": "--server URL"
        case "--socket": "--unix PATH"
        case "-q", "--quiet": ">/dev/null"
        case "--token": "--token-file PATH, or the variable BRIGHTNESS_TOKEN"
        case "--device": "--display ID"
        case "--list", "-l": "brightness list"
        case "--get", "-g": "brightness"
        case "--set": "brightness set 80%"
        case "--off", "--on": "brightness power \(name.dropFirst(2))"
        case "-v", "-V": "--version"
        default: nil
        }
    }

    private static func isLease(_ command: String) -> Bool { LeaseKind(rawValue: command) != nil }
}

extension String {
    /// The word without control characters, for a message.
    var shown: String { plain(upTo: 64) }
}

extension ParsableCommand {
    /// The subcommands, by their names and aliases.
    package static var subcommands: [String: any ParsableCommand.Type] {
        configuration.subcommands.reduce(into: [:]) { commands, command in
            for name in [command._commandName] + command.configuration.aliases { commands[name] = command }
        }
    }
}
