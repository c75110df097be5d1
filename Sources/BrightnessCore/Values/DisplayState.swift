// SPDX-License-Identifier: Apache-2.0

/// What drives a display.
package enum DisplayKind: String, Hashable, Sendable {
    case backlight, led, ddc, simulated
    /// Another daemon.
    case remote
}

/// Everything a client is told about a display: the payload of `Notification.brightness` and of every answer.
package struct DisplayState: Hashable, Sendable {
    /// The leases in force, summed up.
    package struct Boost: Hashable, Sendable {
        /// The highest brightness that any lease asks for, after the cap.
        package let brightness: Brightness
        package let leases: Int
        /// When the last lease ends at the latest; `nil` when one of them has no time limit.
        package let until: Timestamp?
        /// A person changed the panel meanwhile and wins: the leases go on without effect.
        package let isOverridden: Bool

        package init(brightness: Brightness, leases: Int, until: Timestamp?, isOverridden: Bool) {
            self.brightness = brightness
            self.leases = leases
            self.until = until
            self.isOverridden = isOverridden
        }
    }

    /// Whether its baseline follows the light in the room.
    package struct Automatic: Hashable, Sendable {
        package let isEnabled: Bool
        /// A person has set the display: until then the light changes nothing. `nil` while it is followed.
        package let heldUntil: Timestamp?

        package init(isEnabled: Bool, heldUntil: Timestamp? = nil) {
            self.isEnabled = isEnabled
            self.heldUntil = heldUntil
        }

        package static let off = Automatic(isEnabled: false)
    }

    /// How often a panel was written that wears with it.
    package struct Writes: Hashable, Sendable {
        /// On the day (UTC) of the last write.
        package let today: Int
        /// After so many a day nobody may ask for more.
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

    /// The effective brightness: what the panel is told to show.
    package var brightness: Brightness
    /// What people ask for, and what is put back when the last lease ends.
    package var baseline: Brightness
    /// The panel's own step for `brightness`, in `0...range.maximum`: the one it is on its way to.
    package var step: Int
    package var boost: Boost?
    package var automatic: Automatic
    /// False while the panel is unplugged or refuses what it is owed.
    package var isAvailable: Bool
    /// `nil` where writes are no matter.
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
