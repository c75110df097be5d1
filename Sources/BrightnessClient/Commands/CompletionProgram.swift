// SPDX-License-Identifier: Apache-2.0
import BrightnessCore

/// Prints completions for a shell's script, one per line. `:files` stands for names of files.
enum CompletionProgram {
    /// The first argument, as the scripts have it.
    static let argument = "---complete"

    static func run(_ line: [String]) {
        let completion = Completion(line)
        var words = completion.words
        switch completion.source {
        case .files: words = [":files"]
        case .displays: words += named("/v1/displays", "displays", "id", line)
        case .presets: words += named("/v1/presets", "presets", "name", line)
        case .schedules: words += named("/v1/schedules", "schedules", "name", line)
        case nil: break
        }
        let current = line.last ?? ""
        for word in words where word == ":files" || word.hasPrefix(current) { try? Terminal().print(word) }
    }

    /// The names of things of the daemon; none if it does not answer at once.
    private static func named(
        _ path: String,
        _ list: StaticString,
        _ member: StaticString,
        _ line: [String]
    ) -> [String] {
        func value(_ option: String) -> String? { Arguments.values(of: [option], in: line.dropLast()).first }
        let options = DaemonAddress.Names(
            server: value("--server"),
            socket: value("--unix"),
            tokenFile: value("--token-file"),
            certificates: value("--ca-file")
        )
        guard let address = try? DaemonAddress(options: options, environment: .environment),
            let answer = try? Client(address).send(ClientRequest("GET", path), within: 2)
        else { return [] }
        return answer.json[list]?.elements?.compactMap { $0[member]?.text } ?? []
    }
}
