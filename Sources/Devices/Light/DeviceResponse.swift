// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import HTTPClient

/// The bytes of a device's response, in any pieces: an event stream, or one JSON document.
///
/// Rules only: neither a connection nor a clock.
package struct DeviceResponse {
    /// Bytes of an event. Those of ESPHome have less than 1 KiB.
    package static let longestEvent = 16_384

    package enum Form {
        case events, document
    }

    /// A report of the sensor.
    package enum Reading: Equatable {
        case lux(Double)
        /// The sensor is there and has no reading.
        case unavailable
    }

    private let form: Form
    private let sensor: String?
    private var parser = ServerEventParser(longestEvent: Self.longestEvent)
    private var document: [UInt8] = []
    /// The sensor that counts: the first one that measures lux.
    private var chosen: String?

    /// - Parameter sensor: The sensor's name; `nil` for the first one that measures lux.
    package init(_ form: Form, of sensor: String?) {
        self.form = form
        self.sensor = sensor
    }

    /// Whether a line, an event or the document is too long. Nothing more is read then.
    package var isTooLong: Bool { parser.isTooLong || document.count > Self.longestEvent }

    /// Returns the newest reading in an event stream's bytes; `nil` if they have none.
    package mutating func receive(_ bytes: [UInt8]) -> Reading? {
        guard !isTooLong else { return nil }
        guard form == .events else {
            document += bytes
            return nil
        }
        var newest: Reading?
        for event in parser.read(bytes) where event.name == "state" {
            guard let state = JSONValue(parsing: Array(event.data.utf8)).flatMap({ DeviceSensorState($0) }),
                let reading = reading(of: state)
            else { continue }
            newest = reading
        }
        return newest
    }

    /// Returns the reading of the complete document; `nil` if it has none.
    package func end() -> Reading? {
        guard form == .document, !isTooLong,
            let state = JSONValue(parsing: document).flatMap(DeviceSensorState.init), state.isLux || state.unit == nil
        else { return nil }
        return state.value.map(Reading.lux) ?? .unavailable
    }

    private mutating func reading(of state: DeviceSensorState) -> Reading? {
        if let sensor {
            guard state.isNamed(sensor) else { return nil }
        } else {
            if chosen == nil, state.isLux { chosen = state.id }
            guard state.id == chosen else { return nil }
        }
        guard let value = state.value else { return .unavailable }
        return state.isLux ? .lux(value) : nil
    }
}
