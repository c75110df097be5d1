// SPDX-License-Identifier: Apache-2.0
import BrightnessCore

/// The state of one of a device's sensors, as the web server of ESPHome and lunarsensor write it:
/// `{"id":"sensor-ambient_light","state":"123.4 lx","value":123.4}`.
///
/// - SeeAlso: https://esphome.io/web-api, "Event Source API"
struct DeviceSensorState: Equatable, Sendable {
    /// `sensor-ambient_light`, or since ESPHome 2026.8 `sensor/Ambient Light`.
    let id: String
    /// `nil` if the sensor has no reading.
    let value: Double?
    /// `nil` if the device names none.
    let unit: String?

    /// Returns `nil` for the state of anything else than a sensor.
    init?(_ json: JSONValue) {
        guard case .object(let members) = json else { return nil }
        id = Self.text(members["id"]) ?? Self.text(members["name_id"]) ?? ""
        // A lamp or a switch has no value; a sensor without a reading has `null` or "NaN".
        guard members["value"] != nil else { return nil }
        if case .number(let number) = members["value"] { value = number } else { value = nil }
        let state = Self.text(members["state"])?.split(separator: " ")
        unit = Self.text(members["uom"]) ?? (state?.count == 2 ? state?.last.map { String($0) } : nil)
    }

    var isLux: Bool { unit == "lx" || unit == "lux" }

    /// Whether the sensor has this name, in whatever way the device's version writes it.
    func isNamed(_ name: String) -> Bool { Self.key(id) == Self.key(name) }

    private static func text(_ value: JSONValue?) -> String? {
        if case .string(let text) = value { text } else { nil }
    }

    /// The object id: `sensor/Ambient Light` and `sensor-ambient_light` are `ambient_light`.
    private static func key(_ text: String) -> String {
        let domain = ["sensor-", "sensor/"].first { text.hasPrefix($0) }
        return text.dropFirst(domain?.count ?? 0).lowercased()
            .map { $0.isLetter || $0.isNumber ? $0 : "_" }.reduce(into: "") { $0.append($1) }
    }
}
