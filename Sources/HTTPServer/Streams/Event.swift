// SPDX-License-Identifier: Apache-2.0

/// An event that is encoded once and sent to every stream whose filter includes it.
package struct Event: Sendable {
    /// The conflation key. For clients that have not read it, a newer event replaces an older one of its key.
    package let key: String
    package let name: String
    /// The event type, for filters. Two types may have one name.
    let type: String
    /// The subject, for filters; `nil` concerns all subjects.
    let subject: String?
    /// The labels of its subject from this event on, for filters; `nil` leaves them as they are.
    let labels: [String]?
    /// The event id; `nil` if a client cannot resume from this event.
    let id: String?
    /// The position in time. A client that reconnects does not receive events up to its last one again.
    ///
    /// An end with the order 0 is sent to connected clients only. Every stream begins with the retained events of the
    /// order `.max`, behind the others.
    let order: UInt64
    /// Text on one line, in the format of the application (`EventEncoding`).
    package let data: [UInt8]
    /// Whether new streams receive it.
    let isRetained: Bool
    let endsSubject: Bool
    /// Whether it is sent to nobody, and only withdraws the retained event of its key.
    let isWithdrawal: Bool

    package init(
        key: String,
        name: String,
        type: String? = nil,
        subject: String? = nil,
        labels: [String]? = nil,
        id: String? = nil,
        order: UInt64 = 0,
        data: [UInt8] = [],
        isRetained: Bool = true,
        endsSubject: Bool = false,
        isWithdrawal: Bool = false
    ) {
        self.key = key
        (self.name, self.type) = (name, type ?? name)
        self.subject = subject
        self.labels = labels
        self.id = id
        self.order = order
        self.data = data
        self.isRetained = isRetained
        self.endsSubject = endsSubject
        self.isWithdrawal = isWithdrawal
    }
}

/// Events of an application, in one batch or in several.
package struct EventBatch {
    /// Oldest first.
    var events: [Event]
    /// Whether a complete set begins with it: the newest ends, then all retained events, in one batch or in several.
    ///
    /// Then everything else that the shard retains is over, and connected clients may have missed events.
    package var replacesAll = false
    /// The order after which the complete set has every end.
    package var endsKnownSince: UInt64 = 0
    /// Whether another batch follows at once. The first batch without one ends the complete set.
    package var isFollowed = false
}

extension EventBatch {
    package init(_ events: [Event], isFollowed: Bool = false) {
        self.init(events: events, isFollowed: isFollowed)
    }
}
