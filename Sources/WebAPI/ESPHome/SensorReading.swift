// SPDX-License-Identifier: Apache-2.0
import BrightnessAPI
import BrightnessCore

/// The light in the room as ESPHome's web server tells the state of a sensor, which Lunar reads.
struct SensorReading {
    /// Whose events these are: told together with the display's, and asked for only at `/events`.
    static let eventName = "state"

    private let lux: Double

    /// `nil` where there is no illuminance: none is known, or a display's brightness stands in for it.
    init?(_ ambient: Ambient) {
        guard let lux = ambient.illuminance?.lux else { return nil }
        self.lux = (lux * 100).rounded() / 100
    }

    /// - Parameter name: Under which it was asked for. A client of each time finds the ids of its time.
    func json(as name: SensorName) -> [UInt8] {
        JSONWriter.object { json in
            switch name {
            case .objectID:
                json.member("id", "sensor-ambient_light")
                json.member("name_id", "sensor/Ambient Light")
            case .name:
                json.member("id", "sensor/Ambient Light")
            }
            json.member("state", "\(lux) lx")
            json.name("value")
            json.raw(Array("\(lux)".utf8))
        }
    }
}
