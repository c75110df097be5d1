// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import HTTPServer

extension Resource {
    /// The light sensor in the form of ESPHome's web server, and its events. Lunar reads them.
    static let lightSensor =
        SensorPath.allCases.map { path in
            Resource("/sensor/\(path.rawValue)", .get { context throws(Problem) in try read(context, at: path) })
        } + [Resource("/events", mediaType: .eventStream, isStream: true, .get(stream))]
}

/// Throws `temporarilyUnavailable` if there is no current illuminance.
private func read(_ context: RequestContext, at path: SensorPath) throws(Problem) -> Reply {
    context.countAsViewer()
    guard case .ambient(let ambient) = context.backend.source.retained(.ambient),
        let state = LightSensorState(ambient)
    else {
        throw .retry(
            .temporarilyUnavailable,
            "No light sensor has had a valid reading within the last 15 seconds."
        )
    }
    return .now(.json(state.json(at: path)))
}

private func stream(_ context: RequestContext) throws(Problem) -> Reply {
    var stream = StreamRequest(filter: EventFilter(types: [LightSensorState.eventType]))
    stream.authorization = context.caller.grant
    return .stream(stream)
}

/// The last part of the light sensor's URL, after `/sensor/`.
///
/// ESPHome used the object id until version 2026.1, then both, and from 2026.8 the name.
private enum SensorPath: String, CaseIterable {
    case objectID = "ambient_light"
    case name = "Ambient Light"
}

private struct LightSensorState {
    /// The type of its events. Only `/events` subscribes to it.
    static let eventType = "light sensor"

    private let lux: Double

    /// Returns `nil` without an illuminance, and for an estimate from a display's brightness.
    init?(_ ambient: Ambient) {
        guard let lux = ambient.illuminance?.lux else { return nil }
        self.lux = (lux * 100).rounded() / 100
    }

    /// - Parameter path: The requested one, which decides the ids in the document.
    func json(at path: SensorPath) -> [UInt8] {
        JSONWriter.object { json in
            switch path {
            case .objectID:
                json.member("id", "sensor-ambient_light")
                json.member("name_id", "sensor/Ambient Light")
            case .name:
                json.member("id", "sensor/Ambient Light")
            }
            json.member("state", "\(lux) lx")
            json.member("value", raw: Array("\(lux)".utf8))
        }
    }
}

extension Ambient {
    /// The event for `/events`. Without a reading nothing is retained for new clients.
    var sensorEvent: Event {
        let type = LightSensorState.eventType
        guard let state = LightSensorState(self) else { return .withdrawal(of: type) }
        return Event(key: type, name: "state", type: type, order: .max, data: state.json(at: .objectID))
    }
}
