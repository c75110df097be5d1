// SPDX-License-Identifier: Apache-2.0

import Load

/// A bare epoll loop in C: what delivering an event costs at the least.
struct EpollLimit: EventPeer {
    let name = "epoll-limit"
    let command: [String]
    let kind: StreamCrowd.Kind
    private let event: ObservedEvent

    /// `event` is the daemon's own, so that both deliver the same bytes.
    init(in directory: String, _ kind: StreamCrowd.Kind, event: ObservedEvent) {
        command = [directory + "/epoll-limit"]
        self.kind = kind
        self.event = event
    }

    var stream: Request {
        switch kind {
        case .events: Request("GET", "/v1/events", accept: "text/event-stream")
        case .webSockets: .webSocket("/v1/ws")
        }
    }

    func change(to step: Int) -> Request { Request("PUT", "/", body: event.data(step)) }
}

/// An event as a stream got it, without what frames it.
struct ObservedEvent: Sendable {
    private let before, after: String

    /// - Parameter data: Of the event that showed this step.
    init?(data: [UInt8], step: Int) {
        let parts = String(decoding: data, as: UTF8.self).split(separator: Change.mark(step), maxSplits: 1)
        guard parts.count == 2 else { return nil }
        (before, after) = (String(parts[0]), String(parts[1]))
    }

    private init(before: String, after: String) { (self.before, self.after) = (before, after) }

    /// The same for another step.
    func data(_ step: Int) -> [UInt8] { Array((before + Change.mark(step) + after).utf8) }

    /// An event of about the daemon's size, for runs without the daemon.
    static let example = ObservedEvent(
        before:
            #"{"id":"simulated","name":"Simulated display","kind":"simulated","brightness":0.300,"baseline":0.300,"#,
        after: """
            "maximum":1000},"percent":30,"boost":null,"auto":{"enabled":false,"heldUntil":null},"available":true,\
            "cause":{"kind":"api","by":null,"reason":null,"at":"2026-11-21T06:00:00.123Z"},"revision":1234}
            """
    )
}
