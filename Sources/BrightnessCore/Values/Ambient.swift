// SPDX-License-Identifier: Apache-2.0

/// Whether a page is better light or dark in this room.
package enum Appearance: String, Hashable, Sendable {
    case day, night
}

/// The light in the room, as far as it is known: the payload of `Notification.ambient`. There is none on a machine that
/// has neither a sensor nor a stand-in for one.
package struct Ambient: Hashable, Sendable {
    package enum Source: String, Hashable, Sendable {
        /// Light sensors.
        case sensor
        /// No sensor: the brightness of a display that somebody else controls automatically stands in.
        case brightness
    }

    package enum SensorKind: String, Hashable, Sendable {
        case illuminance, proximity
    }

    /// What a sensor's newest reading is good for.
    package enum SensorCondition: String, Hashable, Sendable {
        case live
        /// It has had no good reading for too long, since it does not answer.
        case stale
        /// The same, since it says what no room is like.
        case impossible
    }

    package struct Sensor: Hashable, Sendable {
        /// Such as `iio:device0` or `simulated:front`.
        package let id: String
        package let kind: SensorKind
        /// For illuminance: what it has settled on; `nil` where nothing can be said.
        package let illuminance: Illuminance?
        /// For proximity: whether something is near; `nil` where nothing can be said.
        package let isNear: Bool?
        package let condition: SensorCondition

        package init(
            id: String,
            kind: SensorKind,
            illuminance: Illuminance? = nil,
            isNear: Bool? = nil,
            condition: SensorCondition
        ) {
            self.id = id
            self.kind = kind
            self.illuminance = illuminance
            self.isNear = isNear
            self.condition = condition
        }
    }

    package let source: Source
    /// `nil` for a stand-in, and where no sensor has a good reading.
    package let illuminance: Illuminance?
    /// How bright the room is on a logarithmic scale, 0…1; `nil` where nothing is known.
    package let level: Double?
    /// `nil` where nothing was ever known. What is no longer known stays as it was.
    package let appearance: Appearance?
    /// How far to trust it, 0…1.
    package let confidence: Double
    package let sensors: [Sensor]
    package internal(set) var at: Timestamp

    package init(
        source: Source,
        illuminance: Illuminance?,
        level: Double?,
        appearance: Appearance?,
        confidence: Double,
        sensors: [Sensor],
        at: Timestamp
    ) {
        self.source = source
        self.illuminance = illuminance
        self.level = level
        self.appearance = appearance
        self.confidence = confidence
        self.sensors = sensors
        self.at = at
    }
}
