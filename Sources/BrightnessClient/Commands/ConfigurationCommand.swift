// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import BrightnessCore
import Glibc
import Support

struct ConfigurationCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "configuration",
        abstract: "Copies what people have set: presets, schedules, settings of displays, the location.",
        discussion: """
              brightness configuration export lobby.json
              brightness configuration import lobby.json

            The copy does not contain brightness, power, leases or tokens. A token needs the scope admin.
            """,
        subcommands: [ExportCommand.command, ImportCommand.command]
    )
}

struct ExportCommand: ClientCommand {
    static let word = "export"
    static let abstract = "Writes the configuration to a file, or prints it."

    @Argument(help: "A file, which is replaced.")
    var file: String?

    func run(_ session: CommandSession) throws {
        let response = try session.client.send(ClientRequest("GET", "/v1/configuration"))
        guard response.json["version"] != nil else { throw session.client.server.notBrightnessdError }
        let text = Self.lines(of: response.text)
        guard let file, file != "-" else { return try session.terminal.print(text) }
        try Self.write(text + "\n", to: file)
    }

    /// Replaces a file, whose copy stays whole until the new one is. Writes into a device or a pipe.
    private static func write(_ text: String, to file: String) throws(ClientError) {
        let target = realpath(file, nil)
        defer { free(target) }
        // A link stays.
        let path = target.map { String(cString: $0) } ?? file
        var old = stat()
        let isThere = stat(path, &old) == 0
        let isReplaced = !isThere || old.st_mode & S_IFMT == S_IFREG
        let new = isReplaced ? "\(path).new" : path
        guard let output = fopen(new, "we") else { throw failure(file) }
        if isReplaced, isThere { fchmod(fileno(output), old.st_mode) }
        let isWritten = fputs(text, output) >= 0
        guard fclose(output) == 0, isWritten, !isReplaced || rename(new, path) == 0 else {
            defer { if isReplaced { unlink(new) } }
            throw failure(file)
        }
    }

    private static func failure(_ file: String) -> ClientError {
        .failed("\(file.shown) cannot be written (\(String(cString: strerror(errno)))).")
    }

    /// JSON with a line for each member and record, so that versions of it can be compared.
    static func lines(of json: String) -> String {
        var (text, depth, isInString, isEscaped) = ("", 0, false, false)
        var last: Unicode.Scalar = " "
        func lineBreak() -> String { "\n" + String(repeating: "  ", count: depth) }
        // Not characters: a mark that follows a quote, as at the start of a name, would be part of its character.
        for scalar in json.unicodeScalars {
            if !isInString {
                let isFirst = "[{".unicodeScalars.contains(last)
                if "]}".unicodeScalars.contains(scalar) {
                    depth -= 1
                    if depth < 2, !isFirst { text += lineBreak() }
                } else if depth <= 2, isFirst || last == "," {
                    text += lineBreak()
                }
                if "[{".unicodeScalars.contains(scalar) { depth += 1 }
            }
            if scalar == "\"", !isEscaped { isInString.toggle() }
            isEscaped = isInString && scalar == "\\" && !isEscaped
            text.unicodeScalars.append(scalar)
            last = isInString ? " " : scalar
        }
        return text
    }
}

struct ImportCommand: ClientCommand {
    static let word = "import"
    static let abstract = "Replaces the configuration with that of a file, all or nothing."
    static let discussion = "A member that the file does not have, such as \"schedules\", keeps what the daemon has."

    @Argument(help: "A file, or - for standard input.")
    var file: String

    func run(_ session: CommandSession) throws {
        let request = ClientRequest(method: "PUT", path: "/v1/configuration", body: try text())
        do throws(ClientError) {
            let response = try session.client.send(request)
            if session.printsJSON { return try session.terminal.print(response.text) }
            let counts = ["presets", "schedules", "displays"].map { (name: StaticString) in
                "\(name): \(response.json[name]?.elements.map { Array($0).count } ?? 0)"
            }
            try session.terminal.print(counts.joined(separator: ", "))
        } catch {
            guard case .refused(let problem) = error, !problem.errors.isEmpty, !session.printsJSON else { throw error }
            for fault in problem.errors {
                session.terminal.warn("\(fault.pointer.isEmpty ? file.shown : fault.pointer): \(fault.detail)")
            }
            throw ExitCode(error.exitCode)
        }
    }

    private func text() throws(ClientError) -> String {
        let input = file == "-" ? STDIN_FILENO : open(file, O_RDONLY | O_CLOEXEC)
        guard input >= 0, let bytes = readToEnd(of: input) else {
            throw .usage("\(file.shown) cannot be read (\(String(cString: strerror(errno)))).")
        }
        if input != STDIN_FILENO { close(input) }
        return String(decoding: bytes, as: UTF8.self)
    }
}
