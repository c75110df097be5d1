// SPDX-License-Identifier: Apache-2.0

/// The simulated room, as clients see it and change it. Any thread.
package protocol Simulator: Sendable {
    /// What is so now.
    var room: RoomState { get }

    /// Posts the room if it is another one than was posted last.
    func report()

    /// All of it, or nothing: a display that is none is refused.
    func change(_ change: RoomChange) throws(RoomError)
}

package enum RoomError: Error, Hashable, Sendable {
    /// There is no simulated display of this id.
    case unknownDisplay(DisplayID)
}

/// What the light does by itself, from where it is.
package enum RoomScript: String, Hashable, Sendable, CaseIterable {
    /// It goes down to half a lux.
    case sunset
    /// It goes up to 10,000 lux.
    case sunrise
    /// It goes down to a fifth, and comes back.
    case cloud
    /// Somebody walks by: a twentieth of it, and then all of it again.
    case shadow

    package var defaultDuration: Duration {
        switch self {
        case .sunset, .sunrise: .seconds(60)
        case .cloud: .seconds(20)
        case .shadow: .seconds(2)
        }
    }
}

package struct RoomState: Hashable, Sendable {
    package struct Script: Hashable, Sendable {
        package let script: RoomScript
        package let duration: Duration
        package let elapsed: Duration

        package init(_ script: RoomScript, duration: Duration, elapsed: Duration) {
            self.script = script
            self.duration = duration
            self.elapsed = elapsed
        }
    }

    package struct Display: Hashable, Sendable {
        package let id: DisplayID
        /// What it shows: where the person's slider is.
        package let slider: Brightness
        package let failures: PanelFailures

        package init(_ id: DisplayID, slider: Brightness, failures: PanelFailures) {
            self.id = id
            self.slider = slider
            self.failures = failures
        }
    }

    /// The light that falls from the front and from the back; a cover is on the sensor and not on the light.
    package var front: Illuminance
    package var back: Illuminance
    package var isFrontCovered: Bool
    package var isBackCovered: Bool
    /// Whether a hand is near the front.
    package var isNear: Bool
    /// The standard deviation of a reading, as a fraction of it.
    package var noise: Double
    package var script: Script?
    package var displays: [Display]

    package init(
        front: Illuminance,
        back: Illuminance,
        isFrontCovered: Bool,
        isBackCovered: Bool,
        isNear: Bool,
        noise: Double,
        script: Script?,
        displays: [Display]
    ) {
        self.front = front
        self.back = back
        self.isFrontCovered = isFrontCovered
        self.isBackCovered = isBackCovered
        self.isNear = isNear
        self.noise = noise
        self.script = script
        self.displays = displays
    }
}

/// What is wrong with a simulated panel.
package struct PanelFailures: Hashable, Sendable {
    /// It can be read, and takes nothing.
    package var refuses = false
    package var isUnplugged = false
    /// How long a write takes.
    package var delay: Duration = .zero

    package init() {}
}

/// What is to be changed in the room; `nil` stays as it is.
package struct RoomChange: Hashable, Sendable {
    package enum ScriptChange: Hashable, Sendable {
        case begin(RoomScript, Duration)
        /// The light stays as it is at that moment.
        case stop
    }

    package var front: Illuminance?
    package var back: Illuminance?
    package var isFrontCovered: Bool?
    package var isBackCovered: Bool?
    package var isNear: Bool?
    package var noise: Double?
    /// Begins the noise anew, always the same for the same seed.
    package var seed: UInt64?
    package var script: ScriptChange?

    /// Whom the rest concerns: the first where none is named.
    package var display: DisplayID?
    package var slider: Brightness?
    package var refuses: Bool?
    package var isUnplugged: Bool?
    package var delay: Duration?

    package init() {}
}
