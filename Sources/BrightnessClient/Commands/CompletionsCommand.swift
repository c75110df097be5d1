// SPDX-License-Identifier: Apache-2.0
import ArgumentParser

struct CompletionsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "completions",
        abstract: "Prints the completions for a shell.",
        discussion: """
            The Debian package installs them. Elsewhere, for bash: \
            brightness completions bash > ~/.local/share/bash-completion/completions/brightness
            """
    )

    enum Shell: String, CaseIterable, ExpressibleByArgument {
        case bash, zsh, fish
    }

    @Argument(help: "bash, zsh or fish.")
    var shell: Shell

    func run() throws {
        guard let shell = CompletionShell(rawValue: shell.rawValue) else { return }
        let script = BrightnessCommand.completionScript(for: shell)
        try Terminal().print(shell == .bash ? Self.excused(script) : script)
    }

    /// The script is sourced, so it has no interpreter line. ArgumentParser's script intends what shellcheck would warn
    /// about: words without spaces, and a trap that expands at once.
    private static func excused(_ script: String) -> String {
        let lines = script.split(separator: "\n", omittingEmptySubsequences: false)
        return (["# shellcheck shell=bash disable=SC2064,SC2207"] + lines.dropFirst()).joined(separator: "\n")
    }
}
