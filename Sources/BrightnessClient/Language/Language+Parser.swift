// SPDX-License-Identifier: Apache-2.0

extension Language {
    /// A text of the parser of options, with its own words in this language.
    func translated(_ text: String) -> String {
        guard self != .english else { return text }
        return Self.parserTexts.reduce(text) { $0.replacing($1.text(in: .english), with: $1.text(in: self)) }
    }

    /// The words of the parser around those of the commands.
    private static let parserTexts = texts(
        "OVERVIEW: ",
        "USAGE: ",
        "Usage: ",
        "ARGUMENTS:",
        "OPTIONS:",
        "SUBCOMMANDS:",
        "<options>",
        "<subcommand>",
        "<command>",
        "<argument>",
        "<id>",
        "Show the version.",
        "Show help information.",
        "(default)",
        "(default: ",
        "Error: ",
        "Help: ",
        " for detailed help.",
        " for more information.",
        "  See '",
        "Unknown option ",
        "Did you mean ",
        "Missing expected argument ",
        "Missing value for ",
        " unexpected arguments: ",
        "Unexpected argument ",
        "Please provide one of ",
        "The value ",
        " is invalid for "
    )

    private static func texts(_ all: LocalizedText...) -> [LocalizedText] { all }
}
