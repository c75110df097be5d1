// SPDX-License-Identifier: Apache-2.0

import Load

/// A bare epoll loop in C: what delivering an event costs at the least.
struct EpollLimit: EventPeer {
    let name = "epoll-limit"
    let command: [String]
    let stream = Request("GET", "/v1/events", accept: "text/event-stream")
    let changes: [Change]

    /// `events` are the daemon's own, so that both deliver the same bytes.
    init(in directory: String, events: [ObservedEvent]) {
        command = [directory + "/epoll-limit"]
        changes = events.map { Change(request: Request("PUT", "/", body: $0.data), mark: $0.mark) }
    }
}

/// An event as a stream got it.
struct ObservedEvent: Sendable {
    let data: [UInt8]
    /// What tells it from the others.
    let mark: String

    /// Of about the daemon's size, for runs without the daemon.
    static let examples = ["0.3", "0.6"].map { brightness in
        let data = """
            {"id":"simulated","name":"Simulated display","kind":"simulated","brightness":\(brightness),\
            "baseline":\(brightness),"raw":{"value":300,"maximum":1000},"percent":30,"boost":null,\
            "auto":{"enabled":false,"heldUntil":null},"available":true,"cause":{"kind":"api","by":null,\
            "reason":null,"at":"2026-11-21T06:00:00.123Z"},"revision":1234}
            """
        return ObservedEvent(data: Array(data.utf8), mark: #""brightness":\#(brightness)"#)
    }
}
