// SPDX-License-Identifier: Apache-2.0
import BrightnessCore

/// The words of the command line, in the order that ArgumentParser needs.
package struct Arguments {
    let words: [String]

    /// The options of every command, and whether a value follows.
    private static let common = [
        "--server": true, "--unix": true, "--display": true, "-d": true, "--token-file": true, "--ca-file": true,
        "--json": false,
    ]

    /// Options without a value. Every other option has one.
    private static let flags: Set = [
        "--json", "--help", "-h", "--version", "--require", "--all", "--changes", "--ids", "--sleep", "--reset",
        "--forget", "--generate-completion-script",
    ]

    package init(_ words: [String]) { self.words = words }

    static func takesValue(_ option: String) -> Bool { !flags.contains(option) }

    /// The words as ArgumentParser needs them. Common options that stand before the command follow it, and short forms
    /// are written out: `-d DP-2 -5%` is `set -d DP-2 5%-`, and `boost 80% 10m` is `boost --brightness 80% --ttl 10m`.
    /// Options, their values and a command after `--` are left alone.
    ///
    /// - Throws: `ClientError.usage` for words that mean nothing, with what was probably meant.
    package func normalized() throws(ClientError) -> [String] {
        let end = words.firstIndex(of: "--") ?? words.endIndex
        var (rest, afterDashes) = (words[..<end], Array(words[end...].dropFirst()))
        let commonOptions = Self.takeCommon(&rest)
        // Without words before `--`, the command is the first word after it.
        if rest.isEmpty, !afterDashes.isEmpty { rest = [afterDashes.removeFirst()] }
        // Without a command, the parser reads options such as `--help`.
        guard let first = rest.first, !Self.isOption(first) else {
            if let first = rest.first { try Self.check(Self.name(first), of: "") }
            return commonOptions + Array(rest) + afterDashes
        }
        rest.removeFirst()
        let isForDisplay = commonOptions.contains(where: Self.isDisplay)
        var phrase = Phrase(Self.withoutLeadingMinus(first), isForDisplay: isForDisplay)
        while let word = rest.popFirst() {
            if Self.isOption(word) {
                phrase.options += try Self.option(word, &rest, of: phrase.command)
                if Self.isDisplay(word) { phrase.isForDisplay = true }
            } else {
                phrase.operands.append(Self.withoutLeadingMinus(word))
            }
        }
        // Only a lease runs a user's command. The operands of another command may follow `--`.
        if !phrase.runsCommand {
            phrase.operands += afterDashes.map(Self.withoutLeadingMinus).filter { !Self.isOption($0) }
            afterDashes = afterDashes.filter(Self.isOption)
        }
        let (head, expanded) = try phrase.expanded()
        for (names, meaning) in Self.givenOnce where Self.values(of: names, in: commonOptions + expanded).count > 1 {
            throw .usage("Name one \(meaning).")
        }
        return head + commonOptions + expanded + (afterDashes.isEmpty ? [] : ["--"] + afterDashes)
    }

    /// Options that a command has once, also those that a word stands for.
    private static let givenOnce: [(names: Set<String>, meaning: String)] = [
        (["-d", "--display"], "display, group:NAME or all"), (["--kind"], "kind of lease"),
        (["--brightness"], "brightness"), (["--ttl", "--for"], "time"),
    ]

    /// The different values of an option.
    static func values(of names: Set<String>, in words: [String]) -> Set<String> {
        var (values, rest) = (Set<String>(), words[...])
        while let word = rest.popFirst() {
            guard isOption(word), !flags.contains(word) else { continue }
            let value = word.contains("=") ? String(word.drop { $0 != "=" }.dropFirst()) : rest.popFirst()
            if names.contains(name(word)), let value { values.insert(value) }
        }
        return values
    }

    /// Removes the common options at the front, and returns them. `--all`, `all` and `group:NAME` become `-d`.
    private static func takeCommon(_ words: inout ArraySlice<String>) -> [String] {
        var taken: [String] = []
        while let first = words.first {
            if first == "--all" || Target.isSeveral(first) {
                words.removeFirst()
                taken += ["-d", first == "--all" ? "all" : first]
                continue
            }
            guard let takesValue = common[name(first)] else { break }
            taken.append(words.removeFirst())
            if takesValue, !first.contains("="), let value = words.popFirst() { taken.append(value) }
        }
        return taken
    }

    /// Returns an option with its value, which is removed from `rest`.
    private static func option(
        _ word: String,
        _ rest: inout ArraySlice<String>,
        of command: String
    ) throws(ClientError) -> [String] {
        // For a restore, it means everybody's leases.
        if word == "--all", command != "restore" { return ["-d", "all"] }
        try check(name(word), of: command)
        guard !word.contains("="), !flags.contains(word), let value = rest.popFirst() else { return [word] }
        return [word, value]
    }

    private static func check(_ option: String, of command: String) throws(ClientError) {
        guard let meant = Phrase.meaning(ofOption: option, of: command) else { return }
        throw .usage("There is no option \(option). Did you mean \(meant)?")
    }

    /// Whether a word is an option, and not a level such as `-5%` or a location.
    static func isOption(_ word: String) -> Bool { word.hasPrefix("-") && withoutLeadingMinus(word) == word }

    /// Whether a command of the user's is to be run: there is a word after the `--` of a lease.
    package var runsCommand: Bool {
        guard let end = words.firstIndex(of: "--"), words.index(after: end) < words.endIndex else { return false }
        var ours = words[..<end]
        _ = Self.takeCommon(&ours)
        return ours.first.map { !Self.isOption($0) && Phrase($0, isForDisplay: false).runsCommand } ?? false
    }

    private static func isDisplay(_ option: String) -> Bool { ["-d", "--display", "--all"].contains(name(option)) }

    private static func name(_ word: String) -> String { String(word.prefix { $0 != "=" }) }

    /// Writes `-5%` as `5%-`, and the location `-33,151` as `33S,151`, because the parser would take them for options.
    /// Does so with a number that is not a level, too, such as `-200%`: the command reports it, while the parser would
    /// report a missing argument.
    private static func withoutLeadingMinus(_ word: String) -> String {
        if word.hasPrefix("-"), Location(word) != nil, let comma = word.firstIndex(of: ",") {
            return word[..<comma].dropFirst() + "S" + word[comma...]
        }
        guard word.hasPrefix("-"), word.dropFirst().first.map({ $0.isNumber || $0 == "." }) ?? false,
            Phrase.isLevel(word)
        else { return word }
        return word.dropFirst() + "-"
    }
}
