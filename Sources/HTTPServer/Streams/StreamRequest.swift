// SPDX-License-Identifier: Apache-2.0

/// What a client that wants events asked for.
package struct StreamRequest {
    package var filter: EventFilter
    package var start: StreamStart
    /// Kept as long as the stream is open, and let go on the shard's thread when it ends.
    package var companion: AnyObject?
    /// What it was let in with; `nil` if that cannot be taken back.
    package var permit: (any StreamPermit)?
    /// Header fields beside those every event stream has. A refusal has them too.
    package var fields: [Response.Field]

    /// The header fields of the stream.
    var headFields: [Response.Field] {
        [
            ("Content-Type", "text/event-stream"),
            ("Cache-Control", "no-store"),
            ("X-Accel-Buffering", "no"),
        ] + fields
    }

    package init(
        filter: EventFilter,
        start: StreamStart = .everything,
        companion: AnyObject? = nil,
        fields: [Response.Field] = []
    ) {
        self.companion = companion
        self.filter = filter
        self.start = start
        self.fields = fields
    }
}

/// Which events a stream gets. `nil` stands for all.
package struct EventFilter: Hashable, Sendable {
    package var names: Set<String>?
    package var subjects: Set<String>?

    package init(names: Set<String>? = nil, subjects: Set<String>? = nil) {
        self.names = names
        self.subjects = subjects
    }

    package func includes(_ event: Event) -> Bool {
        (names?.contains(event.name) ?? true) && (event.subject.flatMap { subjects?.contains($0) } ?? true)
    }
}

/// What a stream begins with.
package enum StreamStart: Hashable, Sendable {
    /// All that is retained.
    case everything
    /// What a client missed that has everything up to this order.
    case after(UInt64)
    /// The reset event, then all that is retained: what the client knows is of no use.
    case reset
}

/// What streams and WebSockets were let in with, such as a token. Many share one. Any thread.
package protocol StreamPermit: AnyObject, Sendable {
    /// Once it is not, whatever was let in with it is ended within a second or two.
    var isValid: Bool { get }
}
