// SPDX-License-Identifier: Apache-2.0
import Synchronization
import TestSupport
import Testing

@testable import BrightnessCore
@testable import Devices

@Suite struct SimulatedRoomTests {
    let clock = ManualClock()
    let hub = NotificationHub()
    let panel = SimulatedPanel()
    let room: SimulatedRoom

    init() {
        room = SimulatedRoom([panel], poster: hub.poster) { [clock] in clock.now }
    }

    private func change(_ body: (inout RoomChange) -> Void) throws {
        var change = RoomChange()
        body(&change)
        try #require(room.change(change))
    }

    private var sensors: [any AmbientSensor] { room.sensors(at: clock.now) ?? [] }

    private var readings: [SensorReading] {
        get throws { try sensors.map { try $0.read() } }
    }

    @Test func `a cover and a hand darken a sensor, but not the room`() throws {
        #expect(try readings == [.lux(320), .lux(180), .near(false)])
        try change { $0.isBackCovered = true }
        #expect(try readings == [.lux(320), .lux(0.18), .near(false)])
        try change { $0.isNear = true }
        #expect(try readings == [.lux(32), .lux(0.18), .near(true)])
        #expect(room.room.front.lux == 320)
        #expect(room.room.back.lux == 180)
    }

    @Test func `hidden sensors are not found, and those of a room that has ended do not count`() throws {
        let changes = hub.source.listen(to: NotificationFilter([.sensors])) {}
        try change { $0.hasSensors = false }
        #expect(changes.drain() == [.sensors])
        #expect(sensors.isEmpty)
        #expect(!room.room.hasSensors)
        try change { $0.hasSensors = true }
        #expect(sensors.count == 3)
        let machine = SensorDirectory(own: [room, Other()])
        #expect(machine.sensors(at: clock.now).count == 3)
        _ = changes.drain()
        room.end()
        #expect(changes.drain() == [.sensors])
        #expect(machine.sensors(at: clock.now).map(\.id) == ["remote:other"])
    }

    private struct Other: SensorSource {
        func sensors(at now: Instant) -> [any AmbientSensor]? {
            [LightReport(name: SensorName("other")!, illuminance: Illuminance(lux: 1)!)]
        }
    }

    @Test func `the system's automatic brightness follows the light as another program, until it is off`()
        async throws
    {
        var hints = panel.changes.makeAsyncIterator()
        let task = Task { [room, clock] in await room.keepAdjusting(on: clock) }
        try change {
            $0.front = Illuminance(lux: 10)
            $0.isSystemAutomatic = true
        }
        func pass(_ intervals: Int) async throws {
            for _ in 0..<intervals {
                _ = try await clock.nextSleep()
                clock.advance(by: SystemAutomatic.interval)
            }
            _ = try await clock.nextSleep()
        }
        try await pass(20)
        #expect(panel.slider.fraction == 0.2)
        #expect(await hints.next() == .external)
        // A value that others set stays until the light changes.
        try panel.write(900)
        clock.advance(by: SystemAutomatic.interval)
        try await pass(5)
        #expect(panel.slider.fraction == 0.9)
        try change { $0.front = Illuminance(lux: 500) }
        clock.advance(by: SystemAutomatic.interval)
        try await pass(20)
        #expect(panel.slider.fraction == 0.6)
        // A person's choice moves the curve.
        try change { $0.slider = Brightness(fraction: 0.8) }
        try change { $0.front = Illuminance(lux: 100) }
        clock.advance(by: SystemAutomatic.interval)
        try await pass(20)
        #expect(abs(panel.slider.fraction - 0.6) < 0.001)
        try change { $0.isSystemAutomatic = false }
        try change { $0.front = Illuminance(lux: 10_000) }
        clock.advance(by: SystemAutomatic.interval)
        while clock.sleepers > 0 { await Task.yield() }
        #expect(abs(panel.slider.fraction - 0.6) < 0.001)
        task.cancel()
        await task.value
    }

    @Test(
        arguments: [
            (RoomScript.sunset, 25.3, 0.5), (.sunrise, 3_160, 10_000), (.cloud, 256, 1_280), (.shadow, 64, 1_280),
            (.reflection, 32_000, 1_280),
        ] as [(RoomScript, Double, Double)]
    )
    func `a script runs for its duration`(script: RoomScript, half: Double, end: Double) throws {
        try change {
            $0.front = Illuminance(lux: script == .sunrise ? 1_000 : 1_280)
            $0.script = .begin(script, .seconds(10))
        }
        #expect(room.room.script == RoomState.Script(script, duration: .seconds(10), elapsed: .zero))
        clock.advance(by: .seconds(5))
        #expect(room.room.front.lux == half)
        #expect(room.room.script?.elapsed == .seconds(5))
        clock.advance(by: .seconds(5))
        #expect(room.room.front.lux == end)
        #expect(room.room.script == nil)
    }

    @Test func `setting the light ends a script, and stopping a script keeps the light`() throws {
        try change { $0.script = .begin(.sunset, .seconds(60)) }
        try change { $0.back = Illuminance(lux: 7) }
        clock.advance(by: .seconds(60))
        #expect(room.room.back.lux == 7)
        try change { $0.script = .begin(.shadow, .seconds(2)) }
        try change { $0.script = .stop }
        clock.advance(by: .seconds(60))
        #expect(room.room.front.lux == 16)
    }

    @Test func `an unknown display leaves the room unchanged`() throws {
        let other = try #require(DisplayID("other"))
        let before = room.room
        var change = RoomChange()
        change.front = Illuminance(lux: 5)
        change.display = other
        #expect(!room.change(change))
        #expect(room.room == before)
    }

    // MARK: Panels

    @Test func `a panel that rejects writes is readable, an unplugged one is not`() throws {
        try change { $0.refuses = true }
        #expect(throws: DeviceError.permission(path: "simulated room")) { try panel.write(700) }
        #expect(try panel.read() == 400)
        try change {
            $0.refuses = false
            $0.isUnplugged = true
        }
        #expect(throws: DeviceError.absent(path: "simulated room")) { try panel.read() }
        #expect(throws: DeviceError.absent(path: "simulated room")) { try panel.write(700) }
        try change { $0.isUnplugged = false }
        try panel.write(700)
        #expect(try panel.read() == 700)
        #expect(room.room.displays.map(\.slider) == [Brightness(clamping: 0.7)])
    }

    @Test func `a manual change and a failure are reported`() async throws {
        var hints = panel.changes.makeAsyncIterator()
        try change { $0.slider = .full }
        #expect(await hints.next(isolation: #isolation) == .simulator)
        #expect(try panel.read() == 1_000)
        try change { $0.isUnplugged = true }
        #expect(await hints.next(isolation: #isolation) == .connected)
    }

    @Test func `only a slow panel has its own thread`() async throws {
        let queue = SimulatedQueue(of: panel)
        let isDone = Mutex(false)
        queue.enqueue { isDone.withLock { $0 = true } }
        #expect(isDone.withLock { $0 })
        try change { $0.delay = .milliseconds(1) }
        let (threads, thread) = AsyncStream.makeStream(of: Bool.self)
        isDone.withLock { $0 = false }
        // The job waits for the lock held here; on this thread it would wait forever.
        isDone.withLock { _ in
            queue.enqueue { thread.yield(isDone.withLock { !$0 }) }
        }
        var answers = threads.makeAsyncIterator()
        #expect(await answers.next(isolation: #isolation) == true)
    }
}
