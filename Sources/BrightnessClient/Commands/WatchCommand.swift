// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import BrightnessCore
import Glibc
import HTTPClient

struct WatchCommand: ClientCommand {
    static let word = "watch"
    static let abstract = "Prints the state of each display, then every change with who caused it and why."
    static let discussion = """
        Ends with Ctrl-C. When the connection is lost it connects again. With --json each event is an object in a \
        line of its own: its name, id and data.
        """

    func run(_ session: CommandSession) throws {
        let interrupt = try SignalDescriptor([SIGINT], unlessIgnored: true)
        let filter =
            switch session.target {
            case .display(let id): "&display=\(id.percentEncoded())"
            case .group(let name): "&group=\(name.percentEncoded())"
            case .all, .defaultDisplay: ""
            }
        var lastEventID: String?
        var (hasBeenOpen, isWarned) = (false, false)
        while true {
            let query = "types=state,display" + filter
            let stream = try EventStream(session.client.server, query: query, after: lastEventID)
            reading: while true {
                let outcome = stream.wait(and: interrupt.descriptor, atMost: 60_000)
                if stream.isOpen { (hasBeenOpen, isWarned) = (true, false) }
                switch outcome {
                case .descriptor: throw ExitCode(128 + SIGINT)
                case .timedOut: break
                case .events(let events):
                    for event in events where event.name != "synced" { try show(event, session) }
                    lastEventID = events.last?.id ?? lastEventID
                case .ended(nil): break reading
                case .ended(let error?):
                    if case .refused(let problem) = error, !problem.isTemporaryAfterSuccess { throw error }
                    guard hasBeenOpen else { throw error }
                    break reading
                }
            }
            let name = session.client.server.name
            if !isWarned { session.terminal.warn("The connection to \(name) is lost; connecting again.") }
            isWarned = true
            var signal = pollfd(fd: interrupt.descriptor, events: Int16(POLLIN), revents: 0)
            if poll(&signal, 1, Int32(clamping: stream.retry)) > 0 { throw ExitCode(128 + SIGINT) }
        }
    }

    private func show(_ event: ServerEvent, _ session: CommandSession) throws(ClientError) {
        let terminal = session.terminal
        guard let json = JSONDocument(parsing: Array(event.data.utf8), upTo: event.data.utf8.count)?.root else {
            return
        }
        if session.printsJSON {
            let line = JSONWriter.object { json in
                json.member("event", event.name)
                json.member("id", event.id ?? "")
                json.member("data", raw: Array(event.data.utf8))
            }
            try terminal.print(String(decoding: line, as: UTF8.self))
        } else if event.name == "state", let state = DisplayState(reading: json) {
            try terminal.print(state.change(terminal.style))
        } else if event.name == "display", let id = json["id"]?.text, let change = json["change"]?.text {
            try terminal.print("\(terminal.style.faint(Timestamp.now.clock))  \(terminal.style.bold(id))  \(change)")
        }
    }
}
