// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import BrightnessCore

/// The words that may come next on a command line, for the completions of a shell. Rules only.
package struct Completion: Equatable {
    /// Names that the daemon or the shell knows.
    package enum Source {
        case displays, presets, schedules, files
    }

    package private(set) var words: [String] = []
    package private(set) var source: Source?

    private static let shortForms = ["off", "on", "toggle", "up", "down", "max", "min"]
    private static let files: Set = ["--unix", "--token-file", "--ca-file"]

    /// - Parameter line: The words after the program's name; the last one is incomplete, and may be empty.
    package init(_ line: [String]) {
        let current = line.last ?? ""
        var rest = line.dropLast()
        var plain: [String] = []
        var unfinished: String?
        while let word = rest.popFirst() {
            if word == "--" {
                source = .files
                return
            }
            guard Arguments.isOption(word) else {
                plain.append(word)
                continue
            }
            guard Arguments.takesValue(word), !word.contains("=") else { continue }
            // Its value is the word that is incomplete.
            if rest.popFirst() == nil { unfinished = word }
        }
        if let unfinished {
            complete(valueOf: unfinished)
        } else if let verb = plain.first {
            complete(after: Phrase(verb, isForDisplay: false), Array(plain.dropFirst()), current)
        } else if current.hasPrefix("-") {
            words = StateCommand.command.optionNames + ["--version"]
        } else {
            words = BrightnessCommand.subcommands.values.map { $0._commandName } + Self.shortForms + ["help"]
        }
        words = Array(Set(words)).sorted()
    }

    private mutating func complete(valueOf option: String) {
        switch option {
        case "-d", "--display": (words, source) = (["all"], .displays)
        case "--kind": words = LeaseKind.allCases.map(\.rawValue)
        default: source = Self.files.contains(option) ? .files : nil
        }
    }

    private mutating func complete(after phrase: Phrase, _ operands: [String], _ current: String) {
        guard let command = BrightnessCommand.subcommands[phrase.command] else {
            if phrase.command == "help" { words = BrightnessCommand.subcommands.values.map { $0._commandName } }
            return
        }
        // First those that the verb itself stands for: `export` is `configuration export`.
        let given = phrase.operands + operands
        let verb = given.first ?? ""
        let subcommands = command.subcommands
        if current.hasPrefix("-") {
            words = (subcommands[verb] ?? command).optionNames
        } else if !subcommands.isEmpty {
            if given.isEmpty { words = subcommands.values.map { $0._commandName } }
            if phrase.command == "configuration", given.count == 1 { source = .files }
            guard given.count == 1, ["apply", "remove", "rm", "set", "save", "pause", "resume"].contains(verb) else {
                return
            }
            source = phrase.command == "presets" ? .presets : .schedules
        } else {
            completeOperand(of: phrase.command, given)
        }
    }

    private mutating func completeOperand(of command: String, _ given: [String]) {
        let choices: [String: [String]] = [
            "power": ["on", "off", "toggle"], "auto": ["on", "off", "resume"], "set": ["up", "down", "max", "min"],
            "restore": LeaseKind.allCases.map(\.rawValue),
            "completions": CompletionsCommand.Shell.allCases.map(\.rawValue),
        ]
        if given.isEmpty { words = choices[command] ?? [] }
        guard !["completions", "dashboard", "light", "provide"].contains(command) else { return }
        if command != "order" { words.append("all") }
        source = .displays
    }
}

extension ParsableCommand {
    /// The long names of its options, and those of every command.
    static var optionNames: [String] {
        let help = Array(_dumpHelp().utf8)
        let arguments = JSONDocument(parsing: help, upTo: help.count)?.root["command"]?["arguments"]?.elements
        let names = arguments?.flatMap { $0["names"]?.elements.map { Array($0) } ?? [] } ?? []
        return names.filter { $0["kind"]?.text == "long" }.compactMap { $0["name"]?.text.map { "--\($0)" } }
    }
}

/// Prints completions for a shell's script, one per line. `:files` stands for names of files.
enum CompletionProgram {
    /// The first argument, as the scripts have it.
    static let argument = "---complete"

    static func run(_ line: [String]) {
        let completion = Completion(line)
        var words = completion.words
        switch completion.source {
        case .files: words = [":files"]
        case .displays: words += named("displays", "id", line)
        case .presets: words += named("presets", "name", line)
        case .schedules: words += named("schedules", "name", line)
        case nil: break
        }
        let current = line.last ?? ""
        for word in words where word == ":files" || word.hasPrefix(current) { try? Terminal().print(word) }
    }

    /// The names of things of the daemon; none if it does not answer at once.
    private static func named(_ list: StaticString, _ member: StaticString, _ line: [String]) -> [String] {
        func value(_ option: String) -> String? { Arguments.values(of: [option], in: line.dropLast()).first }
        let options = DaemonAddress.Settings(
            server: value("--server"),
            socket: value("--unix"),
            tokenFile: value("--token-file"),
            certificates: value("--ca-file")
        )
        guard let address = try? DaemonAddress(options: options, environment: .environment),
            let response = try? Client(address).send(ClientRequest("GET", "/v1/\(list)"), within: 2)
        else { return [] }
        return response.json[list]?.elements?.compactMap { $0[member]?.text } ?? []
    }
}
