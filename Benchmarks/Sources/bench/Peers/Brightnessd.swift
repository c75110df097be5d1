// SPDX-License-Identifier: Apache-2.0

import Load

/// The daemon, with one shard and simulated panels.
struct Brightnessd: EventPeer, StatePeer, ChangePeer {
    let name: String
    let command: [String]
    /// The displays, since a thousand make a long command.
    let environment: [String: String]
    var kind = StreamCrowd.Kind.events

    /// - Parameters:
    ///   - stateDirectory: Where its journal is; `nil` disables it.
    ///   - displays: How many panels it has.
    init(path: String, arguments: [String], stateDirectory: String?, displays: Int = 1, name: String = "brightnessd") {
        self.name = name
        command =
            [path, "serve", "--listen", "127.0.0.1:0", "--shards", "1"]
            + ["--state-directory", stateDirectory ?? "none"] + arguments
        let others = (1..<max(displays, 1)).map { "simulated:d\($0)" }
        environment = ["BRIGHTNESSD_DISPLAY": (["simulated"] + others).joined(separator: ",")]
    }

    /// The same server, asked for WebSockets.
    var withWebSockets: Brightnessd {
        var copy = self
        copy.kind = .webSockets
        return copy
    }

    /// A boost and its release, as a kiosk sends them before and after it shows a code.
    func boostAndRelease(holder: String) -> [Request] {
        [
            Request("POST", "/v1/boost", body: Array(#"{"holder":"\#(holder)","reason":"qr"}"#.utf8)),
            Request("POST", "/v1/restore", body: Array(#"{"holder":"\#(holder)"}"#.utf8)),
        ]
    }

    /// Of one type of event, as the peers have: the simulated room would add its own, which no real machine has.
    var stream: Request {
        switch kind {
        case .events: Request("GET", "/v1/events?types=state", accept: "text/event-stream")
        case .webSockets: .webSocket("/v1/ws?types=state")
        }
    }
    let state = Request("GET", "/v1/displays/simulated", accept: "application/json")

    func change(to step: Int) -> Request {
        Request("PUT", "/v1/displays/simulated/brightness", body: Array(#"{"raw":\#(step)}"#.utf8))
    }

    var changes: [Request] { [change(to: 300), change(to: 600)] }
}
