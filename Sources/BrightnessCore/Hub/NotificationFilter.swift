// SPDX-License-Identifier: Apache-2.0

/// The notifications that a listener receives. A narrow filter saves wakes.
package struct NotificationFilter: Hashable, Sendable {
    /// One bit per kind: every post checks the filter of every listener.
    private let kinds: Int
    /// `nil` includes every display.
    private let displays: Set<DisplayID>?
    /// Of the displays' states; `nil` includes every cause.
    private let causes: Set<Cause.Kind>?

    package init(
        _ kinds: Set<Notification.Kind>,
        of displays: Set<DisplayID>? = nil,
        causedBy causes: Set<Cause.Kind>? = nil
    ) {
        self.kinds = kinds.reduce(0) { $0 | 1 << $1.rawValue }
        self.displays = displays
        self.causes = causes
    }

    /// Includes every notification.
    package static let all = NotificationFilter(Set(Notification.Kind.allCases))

    package func includes(_ notification: Notification) -> Bool {
        guard kinds & 1 << notification.kind.rawValue != 0 else { return false }
        if let causes, case .brightness(let state) = notification, !causes.contains(state.cause.kind) { return false }
        guard let displays, let id = notification.displayID else { return true }
        return displays.contains(id)
    }
}
