// SPDX-License-Identifier: Apache-2.0
import Glibc

/// A `brightness-ddc` that is a shell script with scripted answers, with one monitor's step in a file. Removed when it
/// is released.
package final class ScriptedHelper: Sendable {
    private let folder: TemporaryFolder
    private var directory: String { folder.path }

    /// The default script: one monitor answers.
    private static let `default` = """
        #!/bin/sh
        # $directory/fault: what is done in place of an answer. $directory/log: the requests.
        while read -r line; do
            number=$(printf '%s' "$line" | sed 's/.*"number":\\([0-9]*\\).*/\\1/')
            printf '%s\\n' "$line" >>"$directory/log"
            [ -f "$directory/fault" ] && . "$directory/fault"
            case $line in
                *detect*)
                    printf '{"bus":5,"monitor":"DEL-U2720Q-1","name":"DELL U2720Q","number":%s}\\n' "$number"
                    printf '{"done":true,"number":%s}\\n' "$number" ;;
                *read*)
                    printf '{"current":%s,"maximum":$maximum,"number":%s}\\n' "$(cat "$directory/step")" "$number" ;;
                *switch*)
                    printf '{"done":true,"number":%s}\\n' "$number" ;;
                *write*)
                    printf '%s' "$line" | sed 's/.*"step":\\([0-9]*\\).*/\\1/' >"$directory/step"
                    printf '{"done":true,"number":%s}\\n' "$number" ;;
            esac
        done
        """

    package init(step: Int = 40, maximum: Int = 100) throws {
        folder = try TemporaryFolder()
        try write(
            Self.default.replacing("$directory", with: directory).replacing("$maximum", with: "\(maximum)") + "\n",
            to: "brightness-ddc"
        )
        chmod(path, 0o755)
        try write("\(step)\n", to: "step")
    }

    /// The path of the program.
    package var path: String { "\(directory)/brightness-ddc" }

    /// The step of the monitor.
    package func step() throws -> Int { Int(try read("step").split(separator: "\n").first ?? "") ?? -1 }

    /// Changes the step as a person does, by the monitor's buttons.
    package func set(_ step: Int) throws { try write("\(step)\n", to: "step") }

    /// From now on each request first runs this piece of shell: `exit`, `sleep 1000`, an answer and `continue`.
    /// `$number` is the request's number.
    package func fails(_ script: String?) throws {
        unlink("\(directory)/fault")
        if let script { try write(script + "\n", to: "fault") }
    }

    /// Every request, oldest first.
    package func requests() throws -> [String] {
        (try? read("log"))?.split(separator: "\n").map(String.init) ?? []
    }

    private func write(_ text: String, to name: String) throws {
        // Atomically: the script never sees a part of it.
        let (path, new) = ("\(directory)/\(name)", "\(directory)/.new")
        guard let file = fopen(new, "w") else { throw SystemCallError("open", new) }
        fputs(text, file)
        fclose(file)
        guard rename(new, path) == 0 else { throw SystemCallError("rename", path) }
    }

    private func read(_ name: String) throws -> String {
        guard let file = fopen("\(directory)/\(name)", "r") else { throw SystemCallError("open", name) }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        while case let byte = fgetc(file), byte != EOF { bytes.append(UInt8(byte)) }
        return String(decoding: bytes, as: UTF8.self)
    }
}
