// SPDX-License-Identifier: Apache-2.0
import Synchronization
import TestSupport
import Testing

@testable import BrightnessCore

private final class Sensor: LightSensor {
    let id = "iio:device0"
    let kind = Ambient.SensorKind.proximity
    let isNear = Mutex(false)
    let isAbsent = Mutex(false)

    func read() throws(DeviceError) -> SensorReading {
        if isAbsent.withLock({ $0 }) { throw .gone }
        return .near(isNear.withLock { $0 })
    }
}

struct PresenceServiceTests {
    private let hub = NotificationHub()
    private let panel = ScriptedPanel(.left, range: BrightnessRange(maximum: 100)!, step: 80, isSwitchable: true)
    private let sensor = Sensor()
    private let clock = ManualClock()
    private let displays: DisplayService
    private let service: PresenceService

    init() throws {
        displays = try DisplayService(
            [.init(panel, on: ImmediateQueue())],
            poster: hub.poster,
            source: hub.source,
            at: .start
        )
        service = PresenceService(displays, wakingFor: .seconds(60), on: ImmediateQueue()) { [clock] in clock.moment }
    }

    private var end: Moment? { displays.leases(of: .left)?.all.first?.end }

    private func read(after time: Duration, isNear: Bool) {
        clock.advance(by: time)
        sensor.isNear.withLock { $0 = isNear }
        service.read([sensor])
    }

    @Test func `a wake lasts while somebody is near, and for its time afterwards`() throws {
        read(after: .zero, isNear: false)
        #expect(end == nil)
        read(after: .seconds(1), isNear: true)
        let lease = try #require(displays.leases(of: .left)?.all.first)
        #expect(lease.kind == .wake)
        #expect(lease.holder == "presence")
        #expect(lease.principal == .daemon)
        #expect(lease.end == clock.moment + .seconds(60))
        read(after: .seconds(29), isNear: true)
        #expect(end == lease.end)
        read(after: .seconds(1), isNear: true)
        #expect(end == clock.moment + .seconds(60))
        read(after: .seconds(1), isNear: false)
        #expect(end == clock.moment + .seconds(60))
        read(after: .seconds(20), isNear: false)
        #expect(end == clock.moment + .seconds(40))
    }

    @Test func `somebody who arrives switches a sleeping display on, and is activity`() throws {
        let sleep = LeaseRequest(.sleep, lifespan: .lifetime, holder: "idle")
        displays.submit(Command(.grant(sleep)), to: .left, at: clock.moment) { _ in }
        #expect(!panel.isOn)
        let activity = hub.source.listen(to: NotificationFilter([.activity])) {}
        read(after: .seconds(1), isNear: true)
        #expect(panel.isOn)
        #expect(displays.state(of: .left)?.cause.kind == .presence)
        #expect(displays.leases(of: .left)?.all.map(\.holder) == ["presence"])
        #expect(activity.drain() == [.activity])
        read(after: .seconds(40), isNear: true)
        #expect(activity.drain().isEmpty)
    }

    @Test func `a person who presses Off has priority while somebody stays near`() throws {
        read(after: .zero, isNear: true)
        displays.submit(
            Command(.setPower(false), asker: Asker(.anonymous, isAdmin: false)),
            to: .left,
            at: clock.moment
        ) {
            _ in
        }
        read(after: .seconds(40), isNear: true)
        #expect(!panel.isOn)
    }

    @Test func `a sensor that fails has nobody near`() {
        sensor.isAbsent.withLock { $0 = true }
        read(after: .zero, isNear: true)
        #expect(end == nil)
    }
}
