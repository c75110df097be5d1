// SPDX-License-Identifier: Apache-2.0
package import BrightnessCore

/// The document of `GET /v1/ambient` and of `ambient` events.
extension Ambient: Document {
    package func write(to json: inout JSONWriter) {
        json.member("source", source.rawValue)
        json.member("illuminance", fraction: illuminance?.lux)
        json.member("level", fraction: level)
        json.member("appearance", appearance?.rawValue)
        json.member("sensors", sensors)
        json.member("at", at.rfc3339)
        if source == .brightness { json.member("tip", Self.standInTip) }
    }

    /// The advice to people where a display's brightness stands in for a light sensor.
    private static let standInTip =
        "There is no light sensor. Turn on the automatic brightness of the system, which the estimate follows."
}

extension Ambient.Sensor: Document {
    package func write(to json: inout JSONWriter) {
        json.member("id", id)
        json.member("kind", kind.rawValue)
        switch kind {
        case .illuminance: json.member("illuminance", fraction: illuminance?.lux)
        case .proximity: json.member("near", optional: isNear)
        }
        json.member("condition", condition.rawValue)
    }
}
