// SPDX-License-Identifier: Apache-2.0

import Load

/// The usual event stream in Swift: Hummingbird, with an AsyncStream for each client.
struct Hummingbird: EventPeer {
    let name = "Hummingbird"
    let command: [String]
    let kind = StreamCrowd.Kind.events
    let stream = Request("GET", "/v1/events", accept: "text/event-stream")
    private let event: ObservedEvent

    init(in package: String, event: ObservedEvent) {
        command = [package + "/HummingbirdPeer/.build/release/hummingbird-events"]
        self.event = event
    }

    func change(to step: Int) -> Request { Request("PUT", "/v1/brightness", body: event.data(step)) }
}
