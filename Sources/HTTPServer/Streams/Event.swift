// SPDX-License-Identifier: Apache-2.0

/// One thing an event stream tells: a fact, encoded once and sent to everyone who asked for its kind.
package struct Event: Sendable {
    /// A newer event replaces an older one of its key for those who have not read it.
    package let key: String
    /// The event type, such as `brightness`. Filters choose by it.
    package let name: String
    /// What it is about, such as a display's id. Filters choose by it; `nil` concerns all of them.
    package let subject: String?
    /// The event id; `nil` for an event that cannot be resumed from.
    package let id: String?
    /// Grows with time; events up to a client's last one are not sent to it again when it comes back. An end of order 0 is
    /// only for clients that are there.
    package let order: UInt64
    /// One JSON object, on one line.
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

    /// Notifies a client that it missed something: what it knows may be over. Everything there is follows.
    package static let reset = Event(
        key: "reset",
        name: "reset",
        subject: nil,
        id: nil,
        order: 0,
        data: Array("{}".utf8),
        isRetained: false
    )

    /// - Parameter skipped: How many older events were left out in favour of this one; told if there are any.
    func data(skipped: Int) -> [UInt8] {
        skipped > 0 ? data.dropLast() + Array(",\"skipped\":\(skipped)}".utf8) : data
    }
}
