// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import BrightnessCore

struct HistoryCommand: ClientCommand {
    static let word = "history"
    static let abstract = "Draws the brightness of a display over time as a line of blocks, and lists its changes."

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("How far back: 90s, 30m, 1h, 2d or 1w, at most a year.", valueName: "time")
    )
    var since = "1h"

    @Flag(help: "List the changes only, up to a thousand. With --json, print their document.")
    var changes = false

    /// The number of changes below the line of blocks.
    private static let changesShown = 20

    /// How long daemons keep the history, in seconds.
    private static let longest = 366 * 86_400.0

    func run(_ session: CommandSession) throws {
        let span = try span(since, of: "--since")
        guard span.seconds <= Self.longest else {
            throw ClientError.usage("\"\(since)\" is too long for --since: the history goes back a year, 52w.")
        }
        let from = (Timestamp.now + .seconds(-span.seconds)).rfc3339.percentEncoded()
        var displays: [String?] = [nil]
        switch session.target {
        case .defaultDisplay: break
        case .display(let id): displays = [id]
        case .all, .group: displays = try session.client.states(of: session.target).map(\.id.text)
        }
        for display in displays {
            let query = "from=\(from)" + (display.map { "&display=\($0.percentEncoded())" } ?? "")
            if !changes { try draw(query, span, session) }
            if changes || !session.printsJSON { try list(query, session) }
        }
    }

    private func draw(_ query: String, _ span: Span, _ session: CommandSession) throws {
        // One point for each column, the one at the end included.
        let step = Int((span.seconds / Double(session.terminal.columns - 1)).rounded(.up))
        let columns = session.printsJSON ? "" : "&step=\(max(step, 1))"
        let response = try session.client.send(ClientRequest("GET", "/v1/history?\(query)\(columns)"))
        if session.printsJSON {
            try session.terminal.print(response.text)
        } else if let history = HistoryDocument(reading: response.json) {
            try session.terminal.print(history.description(session.terminal.style))
        }
    }

    /// Prints the newest changes, the oldest of them first.
    private func list(_ query: String, _ session: CommandSession) throws {
        let limit = changes ? ChangesQuery.limit : Self.changesShown
        let response = try session.client.send(ClientRequest("GET", "/v1/history/changes?\(query)&limit=\(limit)"))
        if session.printsJSON { return try session.terminal.print(response.text) }
        for change in (DisplayChange.changes(in: response.json) ?? []).reversed() {
            try session.terminal.print(change.line(session.terminal.style, at: .now))
        }
    }
}
