// SPDX-License-Identifier: Apache-2.0
import Synchronization
import TestSupport
import Testing

@testable import BrightnessCore

/// A sensor with a scripted reading.
private final class ScriptedSensor: LightSensor {
    let id: String
    let kind: Ambient.SensorKind
    private let state: Mutex<(reading: SensorReading?, count: Int)>

    init(_ id: String, _ kind: Ambient.SensorKind = .illuminance, says reading: SensorReading?) {
        self.id = id
        self.kind = kind
        state = Mutex((reading, 0))
    }

    /// The number of readings.
    var count: Int { state.withLock(\.count) }

    func say(_ reading: SensorReading?) { state.withLock { $0.reading = reading } }

    func read() throws(DeviceError) -> SensorReading {
        let reading = state.withLock { state in
            state.count += 1
            return state.reading
        }
        guard let reading else { throw .io(path: id, errno: 5) }
        return reading
    }
}

@Suite struct AmbientServiceTests {
    let hub = NotificationHub()
    let clock = ManualClock()
    private let light = ScriptedSensor("light", says: .lux(300))

    private func service(_ sensors: [any LightSensor], _ reports: LightReports = LightReports()) -> AmbientService {
        AmbientService(sensors, reports, on: ImmediateQueue(), source: hub.source, poster: hub.poster)
    }

    private var ambient: Ambient? {
        if case .ambient(let ambient)? = hub.source.retained(.ambient) { ambient } else { nil }
    }

    /// Reads this often, each time when the service asks for it.
    private func read(_ service: AmbientService, times: Int, slept: Duration = .zero) {
        for _ in 0..<times {
            let next = service.read(every: AmbientService.fast, at: clock.moment, slept: slept)
            clock.advance(by: next - clock.now)
        }
    }

    @Test func `the service reads rarely, and often while a viewer is present`() async throws {
        let viewers = ViewerCount(poster: hub.poster)
        let service = service([light])
        let task = Task { [clock] in
            await service.poll(on: clock, now: { clock.moment }, slept: { .zero })
        }
        #expect(try await clock.nextSleep() == clock.now + AmbientService.slow)
        #expect(light.count == 1)
        clock.advance(by: .seconds(1))
        let viewer = viewers.join()
        // At once, and not only at the next slow reading.
        #expect(try await clock.nextSleep() == clock.now + AmbientService.fast)
        #expect(light.count == 2)
        clock.advance(by: AmbientService.fast)
        #expect(try await clock.nextSleep() == clock.now + AmbientService.fast)
        #expect(light.count == 3)
        withExtendedLifetime(viewer) {}
        task.cancel()
        await task.value
    }

    @Test func `the service reads often while a display follows the light`() async throws {
        let service = service([light])
        let task = Task { [clock] in
            await service.poll(on: clock, now: { clock.moment }, slept: { .zero })
        }
        #expect(try await clock.nextSleep() == clock.now + AmbientService.slow)
        clock.advance(by: .seconds(1))
        hub.poster.post(.following(true))
        #expect(try await clock.nextSleep() == clock.now + AmbientService.fast)
        #expect(light.count == 2)
        hub.poster.post(.following(false))
        while clock.sleepers > 1 { await Task.yield() }
        task.cancel()
        await task.value
        #expect(clock.sleepers == 0)
    }

    @Test func `a reading that ends after the service has stopped posts nothing`() async throws {
        let service = service([light])
        let task = Task { [clock] in
            await service.poll(on: clock, now: { clock.moment }, slept: { .zero })
        }
        _ = try await clock.nextSleep()
        #expect(ambient?.illuminance?.lux == 300)
        task.cancel()
        await task.value
        light.say(.lux(3))
        read(service, times: 20)
        #expect(ambient?.illuminance?.lux == 300)
    }

    @Test func `a report counts at once, and until its end`() async throws {
        let reports = LightReports()
        let changes = hub.source.listen(to: NotificationFilter([.ambient])) {}
        let service = service([], reports)
        let task = Task { [clock] in
            await service.poll(on: clock, now: { clock.moment }, slept: { .zero })
        }
        #expect(try await clock.nextSleep() == clock.now + AmbientService.slow)
        let name = try #require(SensorName("window"))
        try reports.put(#require(Illuminance(lux: 20)), of: name, for: .seconds(3), at: clock.now)
        #expect(try await clock.nextSleep() == clock.now + .seconds(3))
        #expect(ambient?.illuminance?.lux == 20)
        clock.advance(by: .seconds(3))
        while changes.drain().isEmpty || ambient?.illuminance != nil { await Task.yield() }
        #expect(ambient?.sensors == [])
        task.cancel()
        await task.value
    }

    @Test func `several reasons to read often do not add up`() {
        let service = service([light])
        for interval in [AmbientService.fast, AmbientService.fast, AmbientService.slow] {
            _ = service.read(every: interval, at: clock.moment, slept: .zero)
        }
        #expect(light.count == 1)
        clock.advance(by: AmbientService.fast)
        let next = service.read(every: AmbientService.slow, at: clock.moment, slept: .zero)
        #expect(next == clock.now + AmbientService.slow - AmbientService.fast)
        #expect(light.count == 1)
    }

    @Test func `only changes are posted`() {
        let listener = hub.source.listen(to: NotificationFilter([.ambient])) {}
        let service = service([light])
        read(service, times: 20)
        #expect(listener.drain().count == 1)
        light.say(.lux(310))
        read(service, times: 20)
        #expect(listener.drain() == [])
        light.say(.lux(3))
        read(service, times: 20)
        #expect(listener.drain().count == 1)
        #expect(ambient?.illuminance?.lux == 3)
    }

    @Test func `the proximity sensor is read before the light sensor`() {
        let hand = ScriptedSensor("hand", .proximity, says: .near(false))
        let service = service([light, hand])
        read(service, times: 2)
        hand.say(.near(true))
        light.say(.lux(1))
        read(service, times: 20)
        hand.say(.near(false))
        light.say(.lux(300))
        read(service, times: 20)
        #expect(ambient?.illuminance?.lux == 300)
        #expect(ambient?.sensors.map(\.id) == ["light", "hand"])
    }

    @Test func `a sensor that disappears is stale until it is back`() {
        let service = service([light])
        read(service, times: 2)
        light.say(nil)
        read(service, times: 40)
        #expect(ambient?.illuminance == nil)
        #expect(ambient?.sensors.first?.condition == .stale)
        light.say(.lux(200))
        read(service, times: 5)
        #expect(ambient?.illuminance?.lux == 200)
    }

    @Test func `sensors are not read for six seconds after the machine slept`() {
        let service = service([light])
        read(service, times: 3)
        let count = light.count
        clock.advance(by: .seconds(3_600))
        light.say(.lux(0))
        #expect(
            service.read(every: AmbientService.fast, at: clock.moment, slept: .seconds(3_600)) == clock.now
                + .seconds(6)
        )
        #expect(light.count == count)
        clock.advance(by: .seconds(6))
        read(service, times: 40, slept: .seconds(3_600))
        #expect(light.count == count + 40)
        #expect(ambient?.illuminance == nil)
        #expect(ambient?.sensors.first?.condition == .impossible)
    }
}
