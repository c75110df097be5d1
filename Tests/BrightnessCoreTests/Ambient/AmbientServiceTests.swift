// SPDX-License-Identifier: Apache-2.0
import Synchronization
import TestSupport
import Testing

@testable import BrightnessCore

/// A sensor with a scripted reading.
private final class ScriptedSensor: AmbientSensor {
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

/// How long the machine has slept.
private final class Sleep: Sendable {
    let total = Mutex(Duration.zero)
}

/// Sensors that a test changes.
private final class ScriptedSource: SensorSource {
    private let current: Mutex<[any AmbientSensor]?>
    private let poster: NotificationPoster

    init(_ sensors: [any AmbientSensor], poster: NotificationPoster) {
        current = Mutex(sensors)
        self.poster = poster
    }

    func change(_ sensors: [any AmbientSensor]?) {
        current.withLock { $0 = sensors }
        poster.post(.sensors)
    }

    func sensors(at now: Instant) -> [any AmbientSensor]? { current.withLock { $0 } }
}

@Suite(.timeLimit(.minutes(10))) struct AmbientServiceTests {
    let hub = NotificationHub()
    let clock = ManualClock()
    private let light = ScriptedSensor("light", says: .lux(300))
    private let slept = Sleep()
    private let reports: LightReports

    init() { reports = LightReports(poster: hub.poster) }

    private func source(_ sensors: any AmbientSensor...) -> ScriptedSource { .init(sensors, poster: hub.poster) }

    private func service(
        _ own: [ScriptedSource],
        fallbackDisplay: DisplayID? = nil,
        needsPresence: Bool = false
    ) -> AmbientService {
        AmbientService(
            SensorDirectory(own: own, remote: [reports]),
            fallbackDisplay: fallbackDisplay,
            needsPresence: needsPresence,
            resumes: ResumeDetector(poster: hub.poster) { [slept] in slept.total.withLock { $0 } },
            on: ImmediateQueue(),
            source: hub.source,
            poster: hub.poster
        )
    }

    /// A service with these sensors, which a display follows.
    private func service(_ sensors: any AmbientSensor...) -> AmbientService {
        hub.poster.post(.following(true))
        return service([ScriptedSource(sensors, poster: hub.poster)])
    }

    private var ambient: Ambient? {
        if case .ambient(let ambient)? = hub.source.retained(.ambient) { ambient } else { nil }
    }

    private func report(_ lux: Double, for seconds: Int = 60) throws {
        let name = try #require(SensorName("window"))
        _ = try reports.put(#require(Illuminance(lux: lux)), of: name, for: .seconds(seconds), at: clock.now)
    }

    @discardableResult private func turn(_ service: AmbientService) -> Instant? {
        service.readDue(at: clock.moment)
    }

    /// Reads this often, each time when the service asks for it.
    private func read(_ service: AmbientService, times: Int) {
        for _ in 0..<times {
            guard let next = service.readDue(at: clock.moment) else { return }
            clock.advance(by: next - clock.now)
        }
    }

    private func post(_ fraction: Double, _ kind: Cause.Kind, of id: DisplayID = .left) {
        var state = DisplayState.of(id, at: fraction)
        state.cause = Cause(kind, at: state.cause.at)
        hub.poster.post(.state(state))
    }

    @Test func `the service reads rarely, and often while a viewer is present`() async throws {
        let viewers = ViewerCount(poster: hub.poster)
        let service = service([source(light)])
        let task = Task { [clock] in
            await service.poll(on: clock, now: { clock.moment })
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
        #expect(clock.sleepers == 0)
    }

    @Test func `the service reads often while a display follows the light`() {
        let service = service([source(light)])
        #expect(turn(service) == clock.now + AmbientService.slow)
        clock.advance(by: .seconds(1))
        hub.poster.post(.following(true))
        #expect(turn(service) == clock.now + AmbientService.fast)
        #expect(light.count == 2)
        hub.poster.post(.following(false))
        #expect(turn(service) == clock.now + AmbientService.slow)
        #expect(light.count == 2)
    }

    @Test func `other news do not read a sensor of this machine more often`() throws {
        let service = service([source(light)])
        for _ in 0..<10 {
            try report(20)
            #expect(turn(service) == clock.now + AmbientService.slow)
        }
        #expect(light.count == 1)
    }

    // MARK: Sensors that come and go

    @Test func `a sensor that arrives is read at once, and one that is gone is forgotten`() {
        let source = source()
        let service = service([source])
        #expect(turn(service) == nil)
        source.change([light])
        turn(service)
        #expect(ambient?.illuminance?.lux == 300)
        let other = ScriptedSensor("other", says: .lux(500))
        source.change([light, other])
        turn(service)
        #expect(ambient?.illuminance?.lux == 500)
        #expect(ambient?.sensors.map(\.id) == ["light", "other"])
        source.change([light])
        turn(service)
        #expect(ambient?.illuminance?.lux == 300)
        #expect(ambient?.sensors.map(\.id) == ["light"])
    }

    @Test func `the sources of this machine replace each other, and remote ones count as well`() throws {
        let (room, machine) = (source(ScriptedSensor("room", says: .lux(20))), source(light))
        let service = service([room, machine])
        try report(10)
        turn(service)
        #expect(ambient?.sensors.map(\.id) == ["room", "remote:window"])
        room.change([])
        turn(service)
        #expect(ambient?.sensors.map(\.id) == ["remote:window"])
        room.change(nil)
        turn(service)
        #expect(ambient?.sensors.map(\.id) == ["light", "remote:window"])
        #expect(ambient?.illuminance?.lux == 300)
    }

    @Test func `a report counts at once, and its light ends with it on a machine without a display`() throws {
        let service = service([source()])
        #expect(turn(service) == nil)
        #expect(ambient == nil)
        for _ in 0..<2 {
            try report(20, for: 3)
            turn(service)
            #expect(ambient?.illuminance?.lux == 20)
            clock.advance(by: .seconds(3))
            turn(service)
            #expect(ambient?.illuminance == nil)
            #expect(ambient?.sensors == [])
            #expect(!hub.source.hasLightSensor)
        }
    }

    @Test func `the end of a report is noticed without another event`() async throws {
        let service = service([source()])
        var lights = hub.source.notifications(of: NotificationFilter([.ambient])).makeAsyncIterator()
        let tasks = [
            Task { [clock] in await service.poll(on: clock, now: { clock.moment }) },
            Task { [clock, reports] in await reports.watch(on: clock) },
        ]
        try report(20, for: 3)
        guard case .ambient(let light) = await lights.next(isolation: nil) else { return }
        #expect(light.illuminance?.lux == 20)
        while try await clock.nextSleep() != clock.now + .seconds(3) {}
        clock.advance(by: .seconds(3))
        guard case .ambient(let end) = await lights.next(isolation: nil) else { return }
        #expect(end.illuminance == nil)
        for task in tasks { task.cancel() }
        for task in tasks { await task.value }
    }

    // MARK: Without a light sensor

    @Test func `without a sensor a lasting change of a display's brightness is the light`() {
        let service = service([source()])
        post(0.5, .connected)
        #expect(turn(service) == nil)
        #expect((ambient?.source, ambient?.level) == (.brightness, 0.5))
        post(0.9, .external)
        #expect(turn(service) == clock.now + BrightnessAsLightSensor.brightDwell)
        clock.advance(by: BrightnessAsLightSensor.brightDwell)
        turn(service)
        #expect(ambient?.level ?? 0 > 0.8)
    }

    @Test func `the brightness takes over when a report ends, and the next report when it comes`() throws {
        let service = service([source(ScriptedSensor("hand", .proximity, says: .near(false)))])
        post(0.5, .connected)
        turn(service)
        for _ in 0..<2 {
            #expect(ambient?.source == .brightness)
            #expect(hub.source.lacksLight)
            try report(20, for: 3)
            turn(service)
            #expect((ambient?.source, ambient?.illuminance?.lux) == (.sensor, 20))
            clock.advance(by: .seconds(3))
            turn(service)
        }
        #expect(ambient?.source == .brightness)
    }

    @Test func `the named display stands in, until then the first one, and another one when it is removed`() {
        let service = service([source()], fallbackDisplay: .right)
        post(0.5, .connected)
        turn(service)
        #expect(ambient?.level == 0.5)
        post(0.7, .connected, of: .right)
        turn(service)
        #expect(ambient?.level == 0.7)
        hub.poster.post(.display(.right, .removed, at: Revision(2)))
        turn(service)
        #expect(ambient?.level == 0.5)
    }

    // MARK: Readings

    @Test func `only changes are posted`() {
        let listener = hub.source.listen(to: NotificationFilter([.ambient])) {}
        let service = service(light)
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
        let service = service(light, hand)
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
        let service = service(light)
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
        let service = service(light)
        read(service, times: 3)
        let count = light.count
        clock.advance(by: .seconds(3_600))
        slept.total.withLock { $0 = .seconds(3_600) }
        light.say(.lux(0))
        #expect(turn(service) == clock.now + .seconds(6))
        #expect(light.count == count)
        clock.advance(by: .seconds(6))
        read(service, times: 40)
        #expect(light.count == count + 40)
        #expect(ambient?.illuminance == nil)
        #expect(ambient?.sensors.first?.condition == .impossible)
    }

    @Test func `whether somebody is near is posted once a change, and a sensor that fails has nobody near`() {
        let near = ScriptedSensor("near", .proximity, says: .near(false))
        let service = service([source(near, light)], needsPresence: true)
        let listener = hub.source.listen(to: NotificationFilter([.presence])) {}
        var posted: [[BrightnessCore.Notification]] = []
        for reading in [.near(false), .near(true), .near(true), nil, .near(false)] as [SensorReading?] {
            near.say(reading)
            // Often, although nobody watches.
            #expect(turn(service) == clock.now + AmbientService.fast)
            clock.advance(by: AmbientService.fast)
            posted.append(listener.drain())
        }
        #expect(posted == [[], [.presence(isNear: true)], [], [.presence(isNear: false)], []])
    }

    @Test func `nobody is near once the proximity sensor is gone, and between two rounds nothing changes`() {
        let near = ScriptedSensor("near", .proximity, says: .near(true))
        let source = source(near, light)
        let service = service([source], needsPresence: true)
        turn(service)
        #expect(hub.source.retained(.presence) == .presence(isNear: true))
        turn(service)
        #expect(hub.source.retained(.presence) == .presence(isNear: true))
        source.change([light])
        turn(service)
        #expect(hub.source.retained(.presence) == .presence(isNear: false))
    }

    @Test func `somebody is noticed also right after the machine slept`() {
        let near = ScriptedSensor("near", .proximity, says: .near(false))
        let service = service([source(near, light)], needsPresence: true)
        turn(service)
        let count = light.count
        slept.total.withLock { $0 = .seconds(3_600) }
        clock.advance(by: .seconds(3_600))
        near.say(.near(true))
        turn(service)
        #expect(hub.source.retained(.presence) == .presence(isNear: true))
        #expect(light.count == count)
    }

    @Test func `the light stays known when the rest after a sleep ends between two rounds`() {
        let near = ScriptedSensor("near", .proximity, says: .near(false))
        let service = service([source(near, light)], needsPresence: true)
        let listener = hub.source.listen(to: NotificationFilter([.ambient])) {}
        turn(service)
        #expect(listener.drain().count == 1)
        slept.total.withLock { $0 = .seconds(3_600) }
        clock.advance(by: .seconds(3_600))
        turn(service)
        for pause in [Duration.milliseconds(5_900), .milliseconds(100)] {
            #expect(light.count == 1)
            clock.advance(by: pause)
            turn(service)
        }
        #expect(light.count == 2)
        #expect(listener.drain() == [])
    }

    @Test func `for presence alone the light is read as rarely as without it, and a new sensor at once`() {
        let near = ScriptedSensor("near", .proximity, says: .near(false))
        let source = source(near, light)
        let service = service([source], needsPresence: true)
        read(service, times: 20)
        #expect((near.count, light.count) == (20, 2))
        let other = ScriptedSensor("other", says: .lux(10))
        source.change([near, light, other])
        turn(service)
        #expect((near.count, light.count, other.count) == (21, 3, 1))
        hub.poster.post(.audience(isPresent: true))
        read(service, times: 3)
        #expect(other.count >= 3)
    }

    @Test func `without a need nobody's presence is posted`() {
        let near = ScriptedSensor("near", .proximity, says: .near(true))
        let service = service([source(near, light)])
        turn(service)
        #expect(hub.source.retained(.presence) == nil)
    }
}
