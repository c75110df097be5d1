// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Glibc

/// The client as a program: `brightness` itself, and `brightnessd` when it is called by that name.
package enum ClientProgram {
    package static let name = "brightness"

    /// The names of the client's commands, aliases included.
    package static var commands: [String] {
        BrightnessCommand.configuration.subcommands.map { $0.configuration }.flatMap { command in
            [command.commandName].compactMap { $0 } + command.aliases
        }
    }

    /// Runs the command of this process's arguments.
    package static func main() {
        let arguments = Arguments(Array(CommandLine.arguments.dropFirst()))
        do {
            let commands = BrightnessCommand.configuration.subcommands.map { $0.configuration }
            let advice = arguments.advice(
                among: commands.compactMap { $0.commandName },
                or: commands.flatMap { $0.aliases }
            )
            if let advice { throw ValidationError(advice) }
            var command = try BrightnessCommand.parseAsRoot(arguments.normalized)
            try command.run()
        } catch {
            // A command of the user's may have any exit status but the client's own.
            guard arguments.runsCommand, BrightnessCommand.exitCode(for: error) == .validationFailure else {
                BrightnessCommand.exit(withError: error)
            }
            Terminal().warn(BrightnessCommand.message(for: error))
            Glibc.exit(BoostCommand.ownFailure)
        }
    }
}
