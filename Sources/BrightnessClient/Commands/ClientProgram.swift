// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Glibc
import Support

/// The client as a program: `brightness` itself, and `brightnessd` when it is called by that name.
package enum ClientProgram {
    package static let name = "brightness"

    /// The names of the client's commands, aliases included.
    package static var commands: some Collection<String> { BrightnessCommand.below.keys }

    /// Runs the command of this process's arguments.
    package static func main() {
        let arguments = Arguments(Array(CommandLine.arguments.dropFirst()))
        do {
            var command = try BrightnessCommand.parseAsRoot(arguments.normalized())
            try command.run()
        } catch let error as ClientError {
            Terminal().warn(error.sentence)
            Glibc.exit(arguments.runsCommand ? BoostCommand.ownFailure : error.exitCode)
        } catch {
            // A command that has explained its failure throws a mere exit code.
            if error is ExitCode { BrightnessCommand.exit(withError: error) }
            // A command of the user's may have any exit status but the client's own.
            guard arguments.runsCommand, BrightnessCommand.exitCode(for: error) == .validationFailure else {
                exit(explaining: error)
            }
            Terminal().warn(BrightnessCommand.message(for: error))
            Glibc.exit(BoostCommand.ownFailure)
        }
    }

    /// Prints the help that was asked for, or the parser's message, and exits. The parser suggests an option for each
    /// unknown one; a suggestion of other letters is left out.
    private static func exit(explaining error: any Error) -> Never {
        let message = withoutFarSuggestion(BrightnessCommand.fullMessage(for: error))
        let code = BrightnessCommand.exitCode(for: error)
        if code.isSuccess { try? Terminal().print(message) } else { Terminal.printError(message) }
        Glibc.exit(code.rawValue)
    }

    /// The message without `Did you mean '--json'?` where the unknown option is another word.
    private static func withoutFarSuggestion(_ message: String) -> String {
        let parts = message.split(separator: "'", maxSplits: 4, omittingEmptySubsequences: false)
        guard parts.count == 5, parts[0].hasSuffix("Unknown option "), parts[2] == ". Did you mean ",
            Suggestion.nearest(to: String(parts[1]), among: [String(parts[3])]) == nil
        else { return message }
        return "\(parts[0])'\(parts[1])'\(parts[4].dropFirst())"
    }
}
