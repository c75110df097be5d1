// SPDX-License-Identifier: Apache-2.0
import BrightnessAPI
import BrightnessCore
import HTTPServer

extension Resource {
    /// The light sensor as ESPHome's web server has it, and its events. Lunar reads them.
    static let lightSensor =
        SensorName.allCases.map { name in
            Resource("/sensor/\(name.rawValue)", .get { context throws(Problem) in try read(context, as: name) })
        } + [Resource("/events", mediaType: .eventStream, isStream: true, .get(stream))]
}

/// Without an illuminance it is a problem: what is not known is not invented.
private func read(_ context: RequestContext, as name: SensorName) throws(Problem) -> Reply {
    guard case .ambient(let ambient) = context.backend.source.retained(.ambient),
        let state = LightSensorState(ambient)
    else { throw .retry(.noReading, "There is no ambient light reading available.", after: 5) }
    return .now(.json(state.json(as: name)))
}

private func stream(_ context: RequestContext) throws(Problem) -> Reply {
    var stream = StreamRequest(filter: EventFilter(names: [LightSensorState.eventName]))
    stream.permit = context.authority.grant
    return .stream(stream)
}

/// What follows `/sensor/` in the URL of the light sensor.
///
/// Until version 2026.1 of ESPHome that was the object id; then both, and in 2026.8 only the name is left.
private enum SensorName: String, CaseIterable {
    case objectID = "ambient_light"
    case name = "Ambient Light"
}

/// The state of a sensor.
private struct LightSensorState {
    /// The name of its events, which are published together with those of displays; only `/events` asks for them.
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

extension Ambient {
    /// The event for `/events`. Without a reading there is none, and newcomers do not get the last one.
    var sensorEvent: Event {
        let subject = "light sensor"
        guard let state = LightSensorState(self) else {
            return Event(
                key: "\(subject) ended",
                name: "\(subject) ended",
                subject: subject,
                id: nil,
                order: 0,
                data: [],
                isRetained: false,
                endsSubject: true
            )
        }
        return Event(
            key: LightSensorState.eventName,
            name: LightSensorState.eventName,
            subject: subject,
            id: nil,
            order: .max,
            data: state.json(as: .objectID)
        )
    }
}
