// SPDX-License-Identifier: Apache-2.0

/// Which notifications somebody listens to. The narrower, the fewer wakes.
package struct Interest: Hashable, Sendable {
    package var kinds: Set<Notification.Kind>
    /// `nil` stands for every display.
    package var displays: Set<DisplayID>?

    package init(_ kinds: Set<Notification.Kind>, of displays: Set<DisplayID>? = nil) {
        self.kinds = kinds
        self.displays = displays
    }

    /// Everything.
    package static let all = Interest(Set(Notification.Kind.allCases))

    package func includes(_ notification: Notification) -> Bool {
        guard kinds.contains(notification.kind) else { return false }
        guard let displays, let id = notification.displayID else { return true }
        return displays.contains(id)
    }
}
