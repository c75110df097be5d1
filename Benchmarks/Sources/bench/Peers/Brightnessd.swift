// SPDX-License-Identifier: Apache-2.0

import Load

/// The daemon, with one shard and the simulated panel.
struct Brightnessd: EventPeer, StatePeer {
    let name = "brightnessd"
    let command: [String]

    init(path: String, arguments: [String]) {
        command = [path, "serve", "--listen", "127.0.0.1:0", "--shards", "1", "--display", "simulated"] + arguments
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
