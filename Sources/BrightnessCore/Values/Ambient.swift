// SPDX-License-Identifier: Apache-2.0

/// The color scheme that suits the ambient light.
package enum Appearance: String, Hashable, Sendable {
    case day, night
}

/// The ambient light as far as it is known: the payload of `Notification.ambient`. Never posted on a machine without a
/// sensor or a substitute for one.
package struct Ambient: Hashable, Sendable {
    package enum Source: String, Hashable, Sendable {
        case sensor
        /// No sensor: a display's brightness that another program controls automatically is the substitute.
        case brightness
    }

    package enum SensorKind: String, Hashable, Sendable {
        case illuminance, proximity
    }

    /// The condition of a sensor, by its newest readings.
    package enum SensorCondition: String, Hashable, Sendable {
        case live
        /// Without a good reading for too long, because the sensor does not answer.
        case stale
        /// Without a good reading for too long, because the readings are implausible.
        case impossible
    }

    package struct SensorState: Hashable, Sendable {
        /// Such as `iio:device0` or `simulated:front`.
        package let id: String
        package let kind: SensorKind
        /// For illuminance: the settled reading; `nil` while unknown.
        package private(set) var illuminance: Illuminance?
        /// For proximity: whether an object is near; `nil` while unknown.
        package private(set) var isNear: Bool?
        package let condition: SensorCondition
    }

    package let source: Source
    /// `nil` for a substitute, and while no sensor has a good reading.
    package let illuminance: Illuminance?
    /// The light on a logarithmic scale, 0…1; `nil` while unknown.
    package let level: Double?
    /// `nil` until the light was first known. Keeps its value when the light becomes unknown.
    package let appearance: Appearance?
    package let sensors: [SensorState]
    package internal(set) var at: Timestamp
}
