// SPDX-License-Identifier: Apache-2.0

/// A fact, encoded once and sent to every stream whose filter includes it.
package struct Event: Sendable {
    /// A newer event replaces an older one of its key for clients that have not read it.
    package let key: String
    /// The event type. Filters choose by it.
    package let name: String
    /// What it is about. Filters choose by it; `nil` concerns all subjects.
    package let subject: String?
    /// The event id; `nil` for an event that cannot be resumed from.
    package let id: String?
    /// Grows with time; events up to a client's last one are not sent to it again when it comes back. An end of order 0 is
    /// only for clients that are there.
    package let order: UInt64
    /// Text on one line, in the format of the application (`EventEncoding`).
    package let data: [UInt8]
    /// Whether newcomers get it.
    package let isRetained: Bool
    /// Whether its subject is gone, and with it all that is retained of it.
    package let endsSubject: Bool

    package init(
        key: String,
        name: String,
        subject: String?,
        id: String?,
        order: UInt64,
        data: [UInt8],
        isRetained: Bool = true,
        endsSubject: Bool = false
    ) {
        self.key = key
        self.name = name
        self.subject = subject
        self.id = id
        self.order = order
        self.data = data
        self.isRetained = isRetained
        self.endsSubject = endsSubject
    }
}

/// The events of an application since the last time.
package struct EventBatch {
    /// Oldest first.
    package var events: [Event]
    /// Whether these are all that is retained, and the newest ends before them: what the shard retains apart from them is
    /// over, and clients that are there may have missed something.
    package var isEverything: Bool
    /// Where these are everything: up to this order, ends may be missing among them.
    package var horizon: UInt64

    package init(_ events: [Event], isEverything: Bool, endsAfter horizon: UInt64 = 0) {
        self.events = events
        self.isEverything = isEverything
        self.horizon = horizon
    }
}
