// SPDX-License-Identifier: Apache-2.0

/// A change of a display, as the history keeps it: the state after it, who changed it and why.
package struct DisplayChange: Equatable, Sendable {
    /// The part of a display's state that people see.
    package struct Shown: Equatable, Sendable {
        package let brightness: Brightness
        package let baseline: Brightness
        /// Whether the panel is on; where that cannot be read, whether people asked for it to be on.
        package let isOn: Bool
        package let isAvailable: Bool
    }

    /// A lease that was granted or ended with the change.
    package struct AffectedLease: Equatable, Sendable {
        package let kind: LeaseKind
        package let hasEnded: Bool

        package init(_ kind: LeaseKind, hasEnded: Bool) {
            self.kind = kind
            self.hasEnded = hasEnded
        }
    }

    package let display: DisplayID
    package var shown: Shown
    /// The state before the change; `nil` if that is not known.
    package let before: Shown?
    package let lease: AffectedLease?
    package let cause: Cause

    package init(_ display: DisplayID, _ shown: Shown, before: Shown?, lease: AffectedLease? = nil, cause: Cause) {
        self.display = display
        self.shown = shown
        self.before = before
        self.lease = lease
        self.cause = cause
    }
}

extension DisplayChange.Shown {
    package init(_ state: DisplayState) {
        self.init(
            brightness: state.brightness,
            baseline: state.baseline,
            isOn: state.power.isOn ?? state.power.baseline,
            isAvailable: state.isAvailable
        )
    }
}

/// A client's request for the newest changes of a time range.
package struct ChangesQuery: Hashable, Sendable {
    /// The maximum number of changes per answer.
    package static let limit = 1_000

    /// `nil` for every display.
    package let display: DisplayID?
    package let from: Timestamp?
    package let to: Timestamp?
    package let limit: Int

    /// - Parameter limit: From 1 to `ChangesQuery.limit`.
    package init(_ display: DisplayID?, from: Timestamp? = nil, to: Timestamp? = nil, limit: Int = 100) {
        self.display = display
        self.from = from
        self.to = to
        self.limit = limit
    }
}
