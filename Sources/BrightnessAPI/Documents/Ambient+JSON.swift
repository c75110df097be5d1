// SPDX-License-Identifier: Apache-2.0
package import BrightnessCore

extension Ambient {
    /// The document of `GET /v1/ambient` and of `ambient` events.
    package var json: [UInt8] {
        JSONWriter.object { json in
            json.member("source", source.rawValue)
            json.member("illuminance", fraction: illuminance?.lux)
            json.member("level", fraction: level)
            json.member("appearance", appearance?.rawValue)
            json.name("sensors")
            json.array(sensors) { json, sensor in json.object { sensor.write(to: &$0) } }
            json.member("at", at.rfc3339)
            if source == .brightness { json.member("tip", Self.standInTip) }
        }
    }

    /// What people should do where a display's brightness stands in for a light sensor.
    private static let standInTip =
        "There is no light sensor. Turn on the automatic brightness of the system, which the estimate follows."
}

extension Ambient.Sensor {
    fileprivate func write(to json: inout JSONWriter) {
        json.member("id", id)
        json.member("kind", kind.rawValue)
        switch kind {
        case .illuminance:
            json.member("illuminance", fraction: illuminance?.lux)
        case .proximity:
            json.name("near")
            if let isNear { json.bool(isNear) } else { json.null() }
        }
        json.member("condition", condition.rawValue)
    }
}
