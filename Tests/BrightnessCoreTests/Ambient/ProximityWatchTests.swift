// SPDX-License-Identifier: Apache-2.0
import Synchronization
import TestSupport
import Testing

@testable import BrightnessCore

private final class Sensor: LightSensor {
    let id = "iio:device0"
    let kind = Ambient.SensorKind.proximity
    /// `nil` if the sensor is gone.
    let isNear = Mutex<Bool?>(false)

    func read() throws(DeviceError) -> SensorReading {
        guard let isNear = isNear.withLock({ $0 }) else { throw .gone }
        return .near(isNear)
    }
}

struct ProximityWatchTests {
    @Test func `each change is posted once, and a sensor that fails has nobody near`() {
        let (hub, sensor) = (NotificationHub(), Sensor())
        let watch = ProximityWatch([sensor], on: ImmediateQueue(), poster: hub.poster)
        let listener = hub.source.listen(to: NotificationFilter([.presence])) {}
        var posted: [[BrightnessCore.Notification]] = []
        for isNear in [false, true, true, nil, false] {
            sensor.isNear.withLock { $0 = isNear }
            watch.read()
            posted.append(listener.drain())
        }
        #expect(posted == [[], [.presence(isNear: true)], [], [.presence(isNear: false)], []])
    }

    @Test func `nobody is near once the sensors are not read any more`() async throws {
        let (hub, sensor, clock) = (NotificationHub(), Sensor(), ManualClock())
        sensor.isNear.withLock { $0 = true }
        let watch = ProximityWatch([sensor], on: ImmediateQueue(), poster: hub.poster)
        let run = Task { await watch.run(on: clock) }
        _ = try await clock.nextSleep()
        #expect(hub.source.retained(.presence) == .presence(isNear: true))
        run.cancel()
        await run.value
        #expect(hub.source.retained(.presence) == .presence(isNear: false))
    }
}
