// SPDX-License-Identifier: Apache-2.0

/// Why a display is not available, and when it is tried again: after 1 s, 2 s, 4 s … at most 30 s.
struct PanelFault: Sendable {
    enum Kind: Sendable {
        /// It cannot be read: unplugged, or asleep. When it is back it gets what it should show.
        case gone
        /// It can be read but does not take what it is owed.
        case refusing
    }

    private(set) var kind: Kind
    private(set) var retry: Instant
    private let delay: Duration

    init(_ kind: Kind, after earlier: PanelFault?, at now: Instant) {
        self.kind = kind
        delay = earlier.map { min($0.delay * 2, .seconds(30)) } ?? .seconds(1)
        retry = now + delay
    }

    /// It can be read again: what it is owed is due now.
    mutating func returned(at now: Instant) {
        kind = .refusing
        retry = now
    }
}
