// SPDX-License-Identifier: Apache-2.0

/// Which notifications somebody listens to. The narrower, the fewer wakes.
package struct NotificationFilter: Hashable, Sendable {
    /// One bit a kind: every post asks for every listener.
    private let kinds: Int
    /// `nil` stands for every display.
    private let displays: Set<DisplayID>?

    package init(_ kinds: Set<Notification.Kind>, of displays: Set<DisplayID>? = nil) {
        self.kinds = kinds.reduce(0) { $0 | 1 << $1.rawValue }
        self.displays = displays
    }

    /// Everything.
    package static let all = NotificationFilter(Set(Notification.Kind.allCases))

    package func includes(_ notification: Notification) -> Bool {
        guard kinds & 1 << notification.kind.rawValue != 0 else { return false }
        guard let displays, let id = notification.displayID else { return true }
        return displays.contains(id)
    }
}
