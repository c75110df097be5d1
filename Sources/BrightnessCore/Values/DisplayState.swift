// SPDX-License-Identifier: Apache-2.0

/// The kind of backend that controls a display.
package enum DisplayKind: String, Hashable, Sendable {
    case backlight, led, ddc, simulated
    /// A display that another daemon controls.
    case remote
}

/// The published state of a display: the payload of `Notification.brightness` and of every answer.
package struct DisplayState: Hashable, Sendable {
    /// The summary of the leases in force.
    package struct Boost: Hashable, Sendable {
        /// The highest requested brightness of all leases, limited by the cap.
        package let brightness: Brightness
        package let leases: Int
        /// The latest end of all leases; `nil` when a lease has no time limit.
        package let until: Timestamp?
        /// Whether a person changed the panel during the boost: the leases continue without effect.
        package let isOverridden: Bool

        package init(brightness: Brightness, leases: Int, until: Timestamp?, isOverridden: Bool) {
            self.brightness = brightness
            self.leases = leases
            self.until = until
            self.isOverridden = isOverridden
        }
    }

    /// The state of a display's automatic brightness.
    package struct Automatic: Hashable, Sendable {
        package let isEnabled: Bool
        /// The end of the hold after a person's change; `nil` while the display follows the light.
        package let heldUntil: Timestamp?

        package init(isEnabled: Bool, heldUntil: Timestamp? = nil) {
            self.isEnabled = isEnabled
            self.heldUntil = heldUntil
        }

        package static let off = Automatic(isEnabled: false)
    }

    /// The number of writes of a panel that wears.
    package struct Writes: Hashable, Sendable {
        /// The writes on the day (UTC) of the last write.
        package let today: Int
        /// The maximum number of writes per day; further demands are rejected.
        package let budget: Int

        package init(today: Int, budget: Int) {
            self.today = today
            self.budget = budget
        }
    }

    package let id: DisplayID
    package let name: String
    package let kind: DisplayKind
    package let range: BrightnessRange

    /// The effective brightness: the target that is written to the panel.
    package var brightness: Brightness
    /// The requested brightness, restored when the last lease ends.
    package var baseline: Brightness
    /// The panel's own step for `brightness`, in `0...range.maximum`: the target of a transition.
    package var step: Int
    package var boost: Boost?
    package var automatic: Automatic
    /// `false` while the panel is unplugged or rejects a pending write.
    package var isAvailable: Bool
    /// `nil` for panels that do not wear.
    package var writes: Writes?
    package var cause: Cause
    package var revision: Revision

    package init(
        id: DisplayID,
        name: String,
        kind: DisplayKind,
        range: BrightnessRange,
        brightness: Brightness,
        baseline: Brightness,
        step: Int,
        boost: Boost? = nil,
        automatic: Automatic,
        isAvailable: Bool,
        writes: Writes? = nil,
        cause: Cause,
        revision: Revision
    ) {
        self.id = id
        self.name = name
        self.kind = kind
        self.range = range
        self.brightness = brightness
        self.baseline = baseline
        self.step = step
        self.boost = boost
        self.automatic = automatic
        self.isAvailable = isAvailable
        self.writes = writes
        self.cause = cause
        self.revision = revision
    }
}
