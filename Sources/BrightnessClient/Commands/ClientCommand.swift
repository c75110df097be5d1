// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import BrightnessCore
import Support

/// A command that asks the daemon, with the arguments that other commands do not have.
protocol ClientCommand: ParsableArguments {
    /// Its name on the command line.
    static var word: String { get }
    static var abstract: String { get }
    /// `nil` for what ArgumentParser derives from the arguments.
    static var usage: String? { get }
    static var discussion: String { get }
    static var aliases: [String] { get }
    /// The exit code of the client's own failures; `nil` for that of the error.
    var failureCode: Int32? { get }

    func run(_ session: CommandSession) throws
}

extension ClientCommand {
    static var usage: String? { nil }
    static var discussion: String { "" }
    static var aliases: [String] { [] }
    /// As ArgumentParser runs it.
    static var command: any ParsableCommand.Type { ClientInvocation<Self>.self }

    var failureCode: Int32? { nil }
}

/// A command with the options of every command before its own. Prints its failure.
struct ClientInvocation<Inner: ClientCommand>: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: Inner.word,
            abstract: Inner.abstract,
            usage: Inner.usage,
            discussion: Inner.discussion,
            aliases: Inner.aliases
        )
    }

    @OptionGroup var options: ClientOptions
    @OptionGroup var inner: Inner

    func run() throws {
        let terminal = Terminal()
        var session: CommandSession?
        do {
            let new = try CommandSession(options, terminal)
            session = new
            try inner.run(new)
        } catch let error as ClientError {
            terminal.warn(session?.sentence(of: error) ?? error.sentence)
            if options.json, case .refused(let problem) = error, !problem.name.isEmpty {
                try terminal.print(String(decoding: problem.json, as: UTF8.self))
            }
            throw ExitCode(inner.failureCode ?? error.exitCode)
        }
    }
}

/// The client, the terminal and the target of a command.
struct CommandSession {
    let client: Client
    let target: Target
    let terminal: Terminal
    let options: ClientOptions

    var printsJSON: Bool { options.json }

    init(_ options: ClientOptions, _ terminal: Terminal) throws(ClientError) {
        let settings = DaemonAddress.Settings(
            server: options.server,
            socket: options.unix,
            tokenFile: options.tokenFile,
            certificates: options.caFile
        )
        client = Client(try DaemonAddress(options: settings, environment: .environment))
        target = Target(options.display ?? Variable["BRIGHTNESS_DISPLAY"])
        self.terminal = terminal
        self.options = options
    }

    /// One sentence that states what to do. For a display that does not exist it has the id that was probably meant.
    fileprivate func sentence(of error: ClientError) -> String {
        guard case .refused(let problem) = error, problem.name == "display-not-found", case .display(let name) = target,
            let ids = try? client.states(of: .all).map(\.id.text)
        else { return error.sentence }
        let there = "There is no display \"\(name.shown)\"."
        let nearest = Suggestion.nearest(to: name, among: ids).map { "Did you mean \($0)?" }
        return "\(there) \(nearest ?? Self.list(ids))"
    }

    private static func list(_ ids: [String]) -> String {
        switch ids.count {
        case 0: "The daemon has no display."
        case 1: "The only display is \(ids[0])."
        case ...8: "The displays are \(Suggestion.list(ids))."
        default: "brightness list shows every display."
        }
    }

    /// Sends a request and prints its document: as the daemon sent it for `--json`.
    ///
    /// - Parameter read: Returns `nil` for the response of another server.
    func send<Document>(
        _ request: ClientRequest,
        reading read: (JSONNode) -> Document?,
        print: (Document) throws -> Void
    ) throws {
        let response = try client.send(request)
        if printsJSON { return try terminal.print(response.text) }
        guard let document = read(response.json) else { throw client.server.notBrightnessdError }
        try print(document)
    }

    /// Prints a fact of each display; with `--json` the document of a resource.
    func show(_ resource: String, _ fact: (DisplayState) -> String) throws {
        if printsJSON { return try terminal.print(client.send(target.reading(resource)).text) }
        for state in try client.states(of: target) {
            try terminal.print("\(terminal.style.bold(state.id.text))  \(fact(state))")
        }
    }

    /// Deletes a named resource, and prints that it is gone.
    func remove(_ name: String, at path: String) throws {
        _ = try client.send(ClientRequest("DELETE", path))
        if !printsJSON { try terminal.print("\(terminal.style.bold(name.shown))  removed") }
    }

    /// As below, on the displays of the command line.
    func change(_ command: Command, restoring kind: LeaseKind? = nil) throws {
        try change(target.request(command), restoring: kind)
    }

    /// Sends a change and prints its results.
    ///
    /// - Parameter kind: The kind of lease that a restore releases; `nil` for every kind.
    func change(_ request: ClientRequest, restoring kind: LeaseKind? = nil) throws {
        // A person waits longer than a slow monitor needs.
        let response = try client.send(request, waiting: 5)
        let results = Results(response.json, status: response.status)
        if printsJSON {
            try terminal.print(response.text)
        } else {
            for (lease, limits) in results.leases {
                try terminal.print(lease.line(terminal.style, at: .now, limitedBy: limits))
            }
            for state in results.states { try terminal.print(state.line(terminal.style)) }
            if let note = results.note(restoring: kind) { terminal.warn(note) }
        }
        if let pending = results.pending { terminal.warn(pending) }
        for failed in results.problems { terminal.warn("\(failed.display): \(failed.problem.sentence)") }
        if !results.problems.isEmpty { throw ExitCode.failure }
    }
}

extension DaemonAddress.Settings {
    static var environment: DaemonAddress.Settings {
        DaemonAddress.Settings(
            server: Variable["BRIGHTNESS_SERVER"],
            socket: Variable["BRIGHTNESS_UNIX"],
            tokenFile: Variable["BRIGHTNESS_TOKEN_FILE"],
            token: Variable["BRIGHTNESS_TOKEN"],
            certificates: Variable["BRIGHTNESS_CA_FILE"]
        )
    }
}

func levelArgument(_ text: String) throws(ClientError) -> LevelArgument {
    guard let level = LevelArgument(text) else { throw .usage(LevelArgument.advice(on: text)) }
    return level
}

/// The time of the option `--transition`.
func transition(_ text: String?) throws(ClientError) -> Duration? {
    guard let text else { return nil }
    return .seconds(try span(text, of: "--transition", orZero: true).seconds)
}

/// A level that is the same on every display.
///
/// - Parameter user: Such as `a schedule`.
func fraction(_ text: String, for user: String) throws(ClientError) -> Brightness {
    guard case .absolute(.fraction(let brightness)) = try levelArgument(text) else {
        throw .usage("\"\(text.shown)\" is not a brightness for \(user): write 40% or 0.4.")
    }
    return brightness
}

func span(_ text: String, of option: String, orZero: Bool = false) throws(ClientError) -> Span {
    guard let span = Span(text, orZero: orZero) else {
        throw .usage("\"\(text)\" is not a time for \(option): write 90s, 1h30m, 2d or 1w.")
    }
    return span
}
