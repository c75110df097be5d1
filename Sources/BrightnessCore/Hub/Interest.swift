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
        kinds.contains(notification.kind) && displays?.contains(notification.displayID) ?? true
    }
}
