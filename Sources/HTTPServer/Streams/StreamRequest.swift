// SPDX-License-Identifier: Apache-2.0
package import Support

package struct StreamRequest {
    var filter: EventFilter
    var start: StreamStart = .everything
    /// An object that lives as long as the stream, and is released on the shard's thread.
    package var companion: AnyObject?
    /// The authorization of the stream; `nil` if it cannot be revoked.
    package var authorization: (any StreamAuthorization)?
    /// Header fields in addition to those of every event stream. A rejection has them too.
    package var fields: [Response.Field] = []

    var headFields: [Response.Field] {
        [
            ("Content-Type", "text/event-stream"),
            ("Cache-Control", "no-cache, no-transform"),
            ("X-Accel-Buffering", "no"),
        ] + fields
    }

    package init(filter: EventFilter, start: StreamStart = .everything) {
        (self.filter, self.start) = (filter, start)
    }
}

/// The events that a stream receives.
package struct EventFilter: Hashable, Sendable {
    /// The types of events; `nil` stands for all.
    private let types: Set<String>?
    /// The subject of an event must be in each of these sets.
    private let subjects: [SubjectSet]

    package init(types: Set<String>? = nil, subjects: [SubjectSet] = []) {
        self.types = types
        self.subjects = subjects
    }

    /// Allocates nothing: it is checked for each event and each group of streams.
    ///
    /// - Parameter labels: The labels of the event's subject; `nil` if they are unknown and may be any.
    func includes(_ event: Event, labels: [String]? = []) -> Bool {
        includesType(of: event) && includesSubject(of: event, labels: labels)
    }

    func includesType(of event: Event) -> Bool { types?.contains(event.type) ?? true }

    func includesSubject(of event: Event, labels: [String]?) -> Bool {
        guard let subject = event.subject else { return true }
        return subjects.allSatisfy { $0.includes(subject, labels: labels) }
    }

    var hasLabels: Bool { subjects.contains { !$0.labels.isEmpty } }
}

/// Some subjects: by name, by glob, or by label.
package struct SubjectSet: Hashable, Sendable {
    package var names: Set<String>
    package var globs: [Glob]
    package var labels: [String]

    package init(names: Set<String> = [], globs: [Glob] = [], labels: [String] = []) {
        self.names = names
        self.globs = globs
        self.labels = labels
    }

    fileprivate func includes(_ subject: String, labels others: [String]?) -> Bool {
        if names.contains(subject) || globs.contains(where: { $0.matches(subject) }) { return true }
        guard let others else { return !labels.isEmpty }
        return labels.contains(where: others.contains)
    }
}

/// The events with which a stream begins.
package enum StreamStart: Hashable, Sendable {
    case everything
    /// The events after this order, for a client that has everything up to it.
    case after(UInt64)
    /// The reset event, then all retained events: the client's state is unusable.
    case reset
}

/// The authorization of streams and WebSockets, such as a token. Many streams may share one. Any thread.
package protocol StreamAuthorization: AnyObject, Sendable {
    /// Streams opened with it are closed within two seconds after it becomes `false`.
    var isValid: Bool { get }
}
