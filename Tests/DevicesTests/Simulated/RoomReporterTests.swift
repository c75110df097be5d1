// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import TestSupport
import Testing

@testable import Devices

@Suite(.timeLimit(.minutes(10))) struct RoomReporterTests {
    let clock = ManualClock()
    let hub = NotificationHub()
    let panel = SimulatedPanel()
    let room: SimulatedRoom

    init() { room = SimulatedRoom([panel], poster: hub.poster) { [clock] in clock.now } }

    private var posted: RoomState? {
        guard case .simulator(let room?) = hub.source.retained(.simulator) else { return nil }
        return room
    }

    @Test func `the room is posted at its creation and at once after each change`() {
        #expect(posted == room.room)
        var change = RoomChange()
        change.isNear = true
        change.slider = Brightness(clamping: 0.7)
        #expect(room.change(change))
        #expect(posted?.isNear == true)
        #expect(posted?.displays.first?.slider.fraction == 0.7)
        let posts = hub.source.posts(of: .simulator)
        #expect(room.change(change))
        #expect(hub.source.posts(of: .simulator) == posts)
    }

    @Test func `the brightness of a panel is posted at most once per interval`() async throws {
        let reporting = Task { await room.keepReporting(on: clock) }
        try panel.write(100)
        #expect(try await clock.nextSleep() == clock.now + RoomReporter.interval)
        #expect(posted?.displays.first?.slider.fraction == 0.1)
        let posts = hub.source.posts(of: .simulator)
        for step in 101...300 { try panel.write(step) }
        #expect(hub.source.posts(of: .simulator) == posts)
        clock.advance(by: RoomReporter.interval)
        _ = try await clock.nextSleep()
        #expect(posted?.displays.first?.slider.fraction == 0.3)
        #expect(hub.source.posts(of: .simulator) == posts + 1)
        reporting.cancel()
        await reporting.value
    }

    @Test func `a report posts the brightness of panels at once`() throws {
        try panel.write(100)
        #expect(posted?.displays.first?.slider.fraction == 0.4)
        room.report()
        #expect(posted?.displays.first?.slider.fraction == 0.1)
    }

    @Test func `the light of a script is posted until the script ends`() async throws {
        let reporting = Task { await room.keepReporting(on: clock) }
        var change = RoomChange()
        change.script = .begin(.sunset, .milliseconds(500))
        #expect(room.change(change))
        _ = try await clock.nextSleep()
        var lights: [Double] = []
        for _ in 1...3 {
            clock.advance(by: RoomReporter.interval)
            _ = try await clock.nextSleep()
            lights.append(try #require(posted).front.lux)
        }
        #expect(lights == lights.sorted(by: >) && lights.last == 0.5)
        #expect(posted?.script == nil)
        reporting.cancel()
        await reporting.value
    }

    @Test func `an ended room is posted once`() {
        let listener = hub.source.listen(to: NotificationFilter([.simulator]), wake: {})
        _ = listener.drain()
        room.end()
        room.end()
        var change = RoomChange()
        change.isNear = true
        #expect(room.change(change))
        #expect(listener.drain() == [.simulator(nil)])
        #expect(posted == nil)
    }

    @Test func `an ended room that is resumed is posted again once, with its sensors`() {
        room.end()
        let listener = hub.source.listen(to: NotificationFilter([.simulator, .sensors]), wake: {})
        for _ in 0..<2 {
            room.resume()
            #expect(room.sensors(at: clock.now)?.isEmpty == false)
        }
        #expect(listener.drain() == [.simulator(room.room), .sensors])
        #expect(posted == room.room)
        room.resume()
        #expect(listener.drain() == [])
    }
}
