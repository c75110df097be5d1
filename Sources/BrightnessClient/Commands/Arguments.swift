// SPDX-License-Identifier: Apache-2.0
import Support

/// The words of the command line, in the order that the parser of options needs.
package struct Arguments {
    package let words: [String]

    /// Options that mean the same for every command, and whether a value follows.
    private static let common = [
        "--server": true, "--unix": true, "--display": true, "-d": true, "--token-file": true, "--ca-file": true,
        "--json": false,
    ]

    package init(_ words: [String]) { self.words = words }

    /// Common options that stand before the command follow it, and the level of `set` has a leading minus at the end:
    /// `-d DP-2 set -5%` is `set -d DP-2 5%-`. Options, their values and what follows `--` are left alone.
    package var normalized: [String] {
        let end = words.firstIndex(of: "--") ?? words.endIndex
        var ours = words[..<end]
        var front: [String] = []
        while let first = ours.first, let takesValue = Self.common[Self.name(first)] {
            front.append(ours.removeFirst())
            if takesValue, !first.contains("="), let value = ours.popFirst() { front.append(value) }
        }
        var rest = Array(ours)
        if let first = ours.first, !first.hasPrefix("-") {
            front.insert(ours.removeFirst(), at: 0)
            rest = SetCommand.names.contains(first) ? Self.withLevel(ours) : Array(ours)
            // The command has commands of its own.
            if first == "schedules", let next = ours.first, !next.hasPrefix("-") {
                front.insert(next, at: 1)
                rest.removeFirst()
            }
        }
        return front + rest + Array(words[end...])
    }

    /// The words after `set`, where the level has its minus at the end. Every option but the flags has a value.
    private static func withLevel(_ words: ArraySlice<String>) -> [String] {
        var isValue = false
        return words.map { word in
            defer { isValue = !isValue && isOption(word) && !word.contains("=") && !flags.contains(word) }
            return isValue || isOption(word) ? word : withoutLeadingMinus(word)
        }
    }

    private static let flags: Set = ["--json", "--help", "-h", "--version"]

    /// Whether a word is an option, and not a level such as `-5%`.
    private static func isOption(_ word: String) -> Bool { word.hasPrefix("-") && withoutLeadingMinus(word) == word }

    /// Returns what to print for a word that is not a command; `nil` for a command or none.
    ///
    /// - Parameter aliases: Words that are commands, too, and are not listed.
    package func advice(among commands: [String], or aliases: [String] = []) -> String? {
        guard let first = normalized.first, !first.hasPrefix("-"), first != "help",
            !commands.contains(first), !aliases.contains(first)
        else { return nil }
        let shown = String(String.UnicodeScalarView(first.unicodeScalars.filter { $0.value >= 0x20 }.prefix(64)))
        let nearest = Suggestion.nearest(to: first, among: commands).map { " Did you mean \($0)?" } ?? ""
        return "unknown command \"\(shown)\".\(nearest) The commands are \(Suggestion.list(commands))."
    }

    /// Whether a command of the user's is to be run: there is a word after `--`.
    package var runsCommand: Bool {
        guard let end = words.firstIndex(of: "--") else { return false }
        return words.index(after: end) < words.endIndex
    }

    private static func name(_ word: String) -> String { String(word.prefix { $0 != "=" }) }

    /// Also for a number that is not a level, such as `-200%`: the command reports it, while the parser of options
    /// would report a missing argument.
    private static func withoutLeadingMinus(_ word: String) -> String {
        guard word.hasPrefix("-"), word.dropFirst().first.map({ $0.isNumber || $0 == "." }) ?? false else {
            return word
        }
        return word.dropFirst() + "-"
    }
}
