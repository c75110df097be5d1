// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import BrightnessCore

struct KeyWindowCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "key-window",
        abstract: "Lets Home Assistant set the key that encrypts its connection.",
        discussion: """
              brightness key-window            whether there is a key, or an open window
              brightness key-window open       five minutes to add it in Home Assistant
              brightness key-window open --for 1m
              brightness key-window close

            The daemon needs --esphome. While the window is open, any machine that reaches its port can set the key.
            """,
        subcommands: [ShowKeyWindowCommand.command, OpenKeyWindowCommand.command, CloseKeyWindowCommand.command],
        defaultSubcommand: ShowKeyWindowCommand.command
    )
}

struct ShowKeyWindowCommand: ClientCommand {
    static let word = "show"
    static let abstract = "Shows whether there is a key, and whether the window is open."

    func run(_ session: CommandSession) throws {
        try session.sendKeyWindow(ClientRequest("GET", .keyWindow))
    }
}

struct OpenKeyWindowCommand: ClientCommand {
    static let word = "open"
    static let abstract = "Opens the window."

    @Option("time", "How long it is open: 30s to 15m. [default: 5m]", name: .customLong("for")) var time: String?

    func run(_ session: CommandSession) throws {
        let time = try time.map { try span($0, of: "--for") }
        let request = ClientRequest("PUT", .keyWindow) { json in
            if let time { json.member("ttl", decimal: time.seconds) }
        }
        try session.sendKeyWindow(request)
    }
}

struct CloseKeyWindowCommand: ClientCommand {
    static let word = "close"
    static let abstract = "Closes the window."

    func run(_ session: CommandSession) throws {
        _ = try session.client.send(ClientRequest("DELETE", .keyWindow))
        try session.sendKeyWindow(ClientRequest("GET", .keyWindow))
    }
}

extension CommandSession {
    fileprivate func sendKeyWindow(_ request: ClientRequest) throws {
        try send(request) { node in
            node["key"]?.text.flatMap { HomeAssistantKey(rawValue: $0) }.map { ($0, node["ttl"]) }
        } print: {
            try terminal.print(Self.sentence($0, left: $1?.integer))
        }
    }

    private static func sentence(_ key: HomeAssistantKey, left: Int?) -> String {
        switch (key, left) {
        case (.set, _): "There is a key. Only clients with it may connect."
        case (_, let left?): "The window is open for \(left) s: add the ESPHome integration in Home Assistant now."
        case (.none, nil), (.awaited, nil): "There is no key. Only clients of this machine may connect."
        }
    }
}

extension String {
    fileprivate static let keyWindow = "/v1/home-assistant/key-window"
}
