// SPDX-License-Identifier: Apache-2.0

import Load

/// The daemon, with one shard and the simulated panel.
struct Brightnessd: EventPeer, StatePeer {
    let name: String
    let command: [String]

    /// - Parameter stateDirectory: Where its journal is; `nil` is no journal.
    init(path: String, arguments: [String], stateDirectory: String?) {
        name = stateDirectory == nil ? "no journal" : "brightnessd"
        command =
            [path, "serve", "--listen", "127.0.0.1:0", "--shards", "1", "--display", "simulated"]
            + ["--state-directory", stateDirectory ?? "none"] + arguments
    }

    /// What a kiosk does before and after it shows a code.
    func boostAndRelease(holder: String) -> [Request] {
        [
            Request("POST", "/v1/boost", body: Array(#"{"holder":"\#(holder)","reason":"qr"}"#.utf8)),
            Request("POST", "/v1/restore", body: Array(#"{"holder":"\#(holder)"}"#.utf8)),
        ]
    }

    let stream = Request("GET", "/v1/events", accept: "text/event-stream")
    let state = Request("GET", "/v1/displays/simulated", accept: "application/json")
    let changes = ["0.3", "0.6"].map { brightness in
        Change(
            request: Request(
                "PUT",
                "/v1/displays/simulated/brightness",
                body: Array(#"{"brightness":\#(brightness)}"#.utf8)
            ),
            mark: #""brightness":\#(brightness)"#
        )
    }
}
