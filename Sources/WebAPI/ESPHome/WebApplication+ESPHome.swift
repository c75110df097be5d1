// SPDX-License-Identifier: Apache-2.0
import BrightnessAPI
import BrightnessCore
import HTTPServer

extension WebApplication {
    /// `GET /sensor/ambient_light`. What is not known is not invented.
    func sensor(_ name: SensorName) throws(Problem) -> Response {
        guard case .ambient(let ambient) = source.retained(.ambient), let reading = SensorReading(ambient) else {
            throw .retry(.noReading, "There is no ambient light reading available.", after: 5)
        }
        return .json(reading.json(as: name))
    }

    /// `GET /events`.
    func sensorStream(_ authority: Authority) -> StreamRequest {
        var stream = StreamRequest(filter: EventFilter(names: [SensorReading.eventName]))
        stream.permit = authority.grant
        return stream
    }
}
