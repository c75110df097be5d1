// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import HTTPServer

extension Ambient {
    /// What `/events` is told. Without a reading it is told nothing, and newcomers do not get the last one.
    var sensorEvent: Event {
        let subject = "light sensor"
        guard let reading = SensorReading(self) else {
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
            key: SensorReading.eventName,
            name: SensorReading.eventName,
            subject: subject,
            id: nil,
            order: .max,
            data: reading.json(as: .objectID)
        )
    }
}
