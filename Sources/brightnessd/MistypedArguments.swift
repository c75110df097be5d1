// SPDX-License-Identifier: Apache-2.0
import BrightnessClient
import BrightnessCore
import Support

/// Arguments that people know from other programs or from the client, and what they probably mean here. The parser
/// would suggest the option with the most similar letters.
struct MistypedArguments {
    private let arguments: [String]

    init(_ arguments: some Sequence<String>) { self.arguments = Array(arguments) }

    private static let options = [
        "--port": "--listen 127.0.0.1:PORT", "-p": "--listen 127.0.0.1:PORT", "--host": "--listen ADDRESS:PORT",
        "--bind": "--listen ADDRESS:PORT", "--address": "--listen ADDRESS:PORT", "--socket": "--unix PATH",
        "--token": "--token-file PATH", "--tokens": "--token-file PATH", "--cors": "--allow-origin ORIGIN",
        "--origin": "--allow-origin ORIGIN", "--broker": "--mqtt URL", "--verbose": "--log-level debug",
        "-v": "--log-level debug", "--debug": "--log-level debug", "--quiet": "--log-level warning",
        "--state-dir": "--state-directory DIRECTORY", "--config": "variables such as BRIGHTNESSD_LISTEN",
    ]

    /// The text to print; `nil` for arguments that the parser understands or explains.
    var advice: String? {
        if let first = arguments.first, !first.hasPrefix("-"), first != "help", Brightnessd.subcommands[first] == nil {
            let shown = first.plain(upTo: 64)
            if ClientProgram.commands.contains(first) {
                return "\"\(shown)\" is a command of the client: brightness \(shown). "
                    + "With curl, see brightnessd --help."
            }
            let commands = Brightnessd.subcommands.keys.sorted()
            let nearest = Suggestion.nearest(to: first, among: commands).map { "Did you mean \($0)?" }
            return "There is no command \"\(shown)\". \(nearest ?? "The commands are \(Suggestion.list(commands)).")"
        }
        for argument in arguments {
            let name = String(argument.prefix { $0 != "=" })
            if let meant = Self.options[name] { return "There is no option \(name). Did you mean \(meant)?" }
        }
        return nil
    }
}
