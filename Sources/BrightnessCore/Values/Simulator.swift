// SPDX-License-Identifier: Apache-2.0

/// The simulated room that clients read and change. Any thread.
package protocol Simulator: Sendable {
    var room: RoomState { get }

    /// Posts the room if it differs from the one posted last.
    func report()

    /// Applies the whole change, or nothing if it names an unknown display.
    ///
    /// - Returns: Whether it knows the display.
    func change(_ change: RoomChange) -> Bool
}

/// An automatic change of the light, starting at its current value.
package enum RoomScript: String, Hashable, Sendable, CaseIterable {
    /// Falls to 0.5 lux.
    case sunset
    /// Rises to 10,000 lux.
    case sunrise
    /// Falls to a fifth and returns.
    case cloud
    /// Falls to a twentieth and returns at once, as when a person walks by.
    case shadow
    /// Rises to 25 times as much and returns at once, as when the sun is mirrored by a door that moves.
    case reflection

    package var defaultDuration: Duration {
        switch self {
        case .sunset, .sunrise: .seconds(60)
        case .cloud: .seconds(20)
        case .shadow: .seconds(2)
        case .reflection: .seconds(1)
        }
    }
}

package struct RoomState: Hashable, Sendable {
    package struct Script: Hashable, Sendable {
        package let script: RoomScript
        package let duration: Duration
        package let elapsed: Duration

        package init(_ script: RoomScript, duration: Duration, elapsed: Duration) {
            (self.script, self.duration, self.elapsed) = (script, duration, elapsed)
        }
    }

    package struct Display: Hashable, Sendable {
        package let id: DisplayID
        /// The panel's brightness: the position of the person's slider.
        package let slider: Brightness
        package let failures: PanelFailures

        package init(_ id: DisplayID, slider: Brightness, failures: PanelFailures) {
            (self.id, self.slider, self.failures) = (id, slider, failures)
        }
    }

    /// The light on the front and the back sensor. A cover affects the sensor and not the light.
    package var front = Illuminance(lux: 0)!
    package var back = Illuminance(lux: 0)!
    package var isFrontCovered = false
    package var isBackCovered = false
    /// Whether a hand is near the front sensor.
    package var isNear = false
    /// Whether the daemon finds the sensors. Without them the display's brightness stands in for the light.
    package var hasSensors = true
    /// Whether the machine's system sets the panels by the light, as other programs do.
    package var isSystemAutomatic = false
    package var script: Script?
    package var displays: [Display] = []

    package init() {}
}

/// The simulated faults of a panel.
package struct PanelFailures: Hashable, Sendable {
    /// The panel can be read, but rejects writes.
    package var refuses = false
    package var isUnplugged = false
    package var delay: Duration = .zero

    package init() {}
}

/// A change of the room; `nil` keeps a property.
package struct RoomChange: Hashable, Sendable {
    package enum ScriptChange: Hashable, Sendable {
        case begin(RoomScript, Duration)
        /// Stops the light at its current value.
        case stop
    }

    package var front: Illuminance?
    package var back: Illuminance?
    package var isFrontCovered: Bool?
    package var isBackCovered: Bool?
    package var isNear: Bool?
    package var hasSensors: Bool?
    package var isSystemAutomatic: Bool?
    package var script: ScriptChange?

    /// The display that the other properties concern; `nil` for the first.
    package var display: DisplayID?
    package var slider: Brightness?
    package var refuses: Bool?
    package var isUnplugged: Bool?
    package var delay: Duration?

    package init() {}
}
