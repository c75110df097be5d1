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
        try Terminal().print(Self.script(shell))
    }

    /// The program itself knows what may come next: see `CompletionProgram`.
    private static func script(_ shell: Shell) -> String {
        switch shell {
        case .bash:
            #"""
            # shellcheck shell=bash
            # Words as the shell has them, without its breaks at colons and equals signs.
            _brightness() {
                local line=${COMP_LINE:0:COMP_POINT} words=() current head
                # A backslash keeps a space in a word.
                # shellcheck disable=SC2162
                read -a words <<<"$line"
                [[ $line == *[[:space:]] && $line != *\\[[:space:]] ]] && words+=("")
                current=${words[-1]}
                head=${current%"${current##*[:=]}"}
                mapfile -t COMPREPLY < <("$1" ---complete "${words[@]:1}" 2>/dev/null)
                if [[ ${COMPREPLY[0]-} == :files ]]; then
                    # The shell itself quotes names of files.
                    mapfile -t COMPREPLY < <(compgen -f -- "$current")
                    compopt -o filenames
                    COMPREPLY=("${COMPREPLY[@]#"$head"}")
                elif ((${#COMPREPLY[@]})); then
                    mapfile -t COMPREPLY < <(printf '%q\n' "${COMPREPLY[@]#"$head"}")
                fi
            }
            complete -F _brightness brightness
            """#
        case .zsh:
            #"""
            #compdef brightness
            local -a found
            found=("${(@f)$("${words[1]}" ---complete "${(@)words[2,CURRENT]}" 2>/dev/null)}")
            if [[ ${found[1]} == :files ]]; then
                _files
            else
                compadd -a found
            fi
            """#
        case .fish:
            #"""
            function __brightness_complete
                set -l words (commandline -opc)
                set -l current (commandline -ct)
                set -l found ($words[1] ---complete $words[2..] "$current" 2>/dev/null)
                if test "$found[1]" = :files
                    __fish_complete_path "$current"
                else
                    printf '%s\n' $found
                end
            end
            complete -c brightness -f -a '(__brightness_complete)'
            """#
        }
    }
}
