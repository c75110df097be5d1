// SPDX-License-Identifier: Apache-2.0
package import ArgumentParser
import Glibc
import Support

/// The client as a program: `brightness` itself, and `brightnessd` when it is called by that name.
package enum ClientProgram {
    package static let name = "brightness"
    /// The exit code of the client's own failures when it runs a user's command, as for env(1) and timeout(1).
    static let codeWithCommand: Int32 = 125

    /// The names of the client's commands, aliases included.
    package static var commands: some Collection<String> { BrightnessCommand.subcommands.keys }

    /// Runs the command of this process's arguments.
    package static func main() {
        let words = Array(CommandLine.arguments.dropFirst())
        if words.first == CompletionProgram.argument { return CompletionProgram.run(Array(words.dropFirst())) }
        let arguments = Arguments(words)
        do {
            var command = try BrightnessCommand.parseAsRoot(arguments.normalized())
            try command.run()
        } catch {
            let failure = error as? ClientError ?? BrightnessCommand.usageError(error).map { .usage($0) }
            // Help, the version, or the exit code of a command that has printed its failure.
            guard let failure else { BrightnessCommand.exit(withError: error) }
            Terminal().warn(failure.sentence)
            // A user's command may end with any status, so with one the client's own failures have a single code.
            Glibc.exit(arguments.runsCommand ? codeWithCommand : failure.exitCode)
        }
    }
}

extension ParsableCommand {
    /// The parser's message in one line: the sentence, the help of the option that it is about, and where more is.
    /// `nil` for an error that is not of the command line.
    package static func usageError(_ error: any Error) -> String? {
        guard !(error is ExitCode), exitCode(for: error) == .validationFailure else { return nil }
        var sentences = [withoutFarSuggestion(message(for: error))]
        for line in fullMessage(for: error).split(separator: "\n") {
            if line.hasPrefix("Help:  "), !sentences[0].contains("Please provide"),
                let help = line.firstRange(of: ">  ")
            {
                // Without its variable and its default.
                sentences += line[help.upperBound...].split(separator: " [").prefix(1).map(String.init)
            } else if line.hasPrefix("  See '"), let end = line.lastIndex(of: "'") {
                sentences.append("See \(line[..<end].dropFirst("  See '".count)).")
            }
        }
        return sentences.map { $0.hasSuffix(".") || $0.hasSuffix("?") ? $0 : "\($0)." }.joined(separator: " ")
    }

    /// The message without `Did you mean '--json'?` where the unknown option is another word: the parser suggests an
    /// option for each unknown one.
    private static func withoutFarSuggestion(_ message: String) -> String {
        let parts = message.split(separator: "'", maxSplits: 4, omittingEmptySubsequences: false)
        guard parts.count == 5, parts[0] == "Unknown option ", parts[2] == ". Did you mean ",
            Suggestion.nearest(to: String(parts[1]), among: [String(parts[3])]) == nil
        else { return message }
        return "\(parts[0])'\(parts[1])'"
    }
}
