// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import BrightnessCore
@testable import HTTPServer
@testable import WebAPI

@Suite struct EventEncodingTests {
    private static let event = Event(
        key: "brightness/eDP-1",
        name: "state",
        subject: "eDP-1",
        id: "e-1",
        order: 1,
        data: Array("{\"a\":1}".utf8)
    )

    @Test(arguments: [
        (Framing.plain, 0, "event: state\nid: e-1\ndata: {\"a\":1}\n\n"),
        (.plain, 9, "event: state\nid: e-1\ndata: {\"a\":1,\"skipped\":9}\n\n"),
        (.webSocket, 0, "{\"jsonrpc\":\"2.0\",\"method\":\"state\",\"params\":{\"a\":1}}"),
        (.webSocket, 9, "{\"jsonrpc\":\"2.0\",\"method\":\"state\",\"params\":{\"a\":1,\"skipped\":9}}"),
    ])
    func `a state event is encoded as these bytes`(framing: Framing, skipped: Int, wire: String) {
        let bytes = StreamFormats(.json).encode(Self.event, as: framing, skipped: skipped)
        // The head of a frame has two bytes.
        #expect(String(decoding: bytes.dropFirst(framing == .webSocket ? 2 : 0), as: UTF8.self) == wire)
    }

    @Test func `a reset is an event without an id`() {
        for (event, name) in [(EventEncoding.json.reset, "reset"), (EventEncoding.json.synced, "synced")] {
            let bytes = StreamFormats(.json).encode(event, ifIn: EventFilter(), as: .plain)
            #expect(bytes == Array("event: \(name)\ndata: {}\n\n".utf8))
        }
    }

    @Test func `leases of two displays with one id do not replace each other`() throws {
        var retained = RetainedEvents(StreamFormats(.json))
        for name in ["lobby:panel", "evil:panel"] {
            let lease = Lease(
                id: LeaseID("7"),
                display: try #require(DisplayID(name)),
                holder: nil,
                grantedAt: Moment.start.wall,
                brightness: .full,
                reason: nil,
                lifespan: .custom,
                end: nil
            )
            let granted = Notification.lease(LeaseEvent(lease, .granted), at: Revision(1))
            _ = retained.post(try #require(granted.event(epoch: .random())))
        }
        let subjects = retained.events(for: EventFilter()).map { retained[$0.handle]?.event.subject }
        #expect(Set(subjects) == ["lobby:panel", "evil:panel"])
    }

    @Test func `a failed write is an event that is not retained, and a panel that is off is none`() throws {
        let id = try #require(DisplayID("panel"))
        let failure = Notification.failure(id, .permission(path: "/sys/x"))
        let event = try #require(failure.event(epoch: .random()))
        let text = String(decoding: event.data, as: UTF8.self)
        #expect(text.hasPrefix(#"{"display":"panel","problem":{"type":"/problems/display-unavailable","#))
        #expect(!text.contains("/sys/x"))
        #expect(event.name == "failure" && !event.isRetained && event.subject == "panel")
        var retained = RetainedEvents(StreamFormats(.json))
        _ = retained.post(event)
        for start in [StreamStart.everything, .after(0)] {
            #expect(retained.beginning(EventFilter(), start).events.isEmpty)
        }
        #expect(Notification.failure(id, .asleep(path: "/sys/x", step: nil)).event(epoch: .random()) == nil)
    }

    @Test func `the room and the light sensor are withdrawn with their last display and their reading`() throws {
        func light(_ lux: Double?) -> Ambient {
            Ambient(
                source: .sensor,
                illuminance: lux.flatMap { Illuminance(lux: $0) },
                level: nil,
                appearance: .day,
                sensors: [],
                at: Moment.start.wall
            )
        }
        let room = try #require(Notification.simulator(RoomState()).event(epoch: .random()))
        let end = try #require(Notification.simulator(nil).event(epoch: .random()))
        for (event, withdrawal) in [(room, end), (light(300).sensorEvent, light(nil).sensorEvent)] {
            #expect(event.isRetained && !event.isWithdrawal)
            #expect(withdrawal.isWithdrawal && withdrawal.key == event.key)
        }
    }

    @Test(arguments: [("panel", #"{"id":"panel"}"#), (nil, #"{"id":null}"#)])
    func `the default display is retained`(id: String?, data: String) throws {
        let notification = Notification.defaultDisplay(id.flatMap { DisplayID($0) })
        let event = try #require(notification.event(epoch: .random()))
        #expect(String(decoding: event.data, as: UTF8.self) == data)
        #expect(event.name == "default" && event.isRetained && event.subject == nil)
    }

    /// Clients add what has a limit, and 32 displays are more than a machine has.
    @Test func `no event about the most that clients can add exceeds 16 KiB`() throws {
        func text(_ count: Int, _ character: Character = "x") -> String { String(repeating: character, count: count) }
        let displays = ProvidedDisplay.limit + 32
        // Each may be in two of the lists.
        let ids = (100..<100 + 2 * displays).compactMap { DisplayID(text(61) + "\($0)") }
        var health = Health()
        health.expect(Set(ids))

        let brightness = Brightness(clamping: 0.123456)
        var (room, failures) = (RoomState(), PanelFailures())
        failures.delay = .seconds(9.123456)
        room.displays = ids.prefix(displays).map { RoomState.Display($0, slider: brightness, failures: failures) }

        let name = try #require(ResourceName(text(64, "\u{1F319}")))
        let ruled = ids.prefix(Preset.mostRules).compactMap { PresetDisplays($0.text) }
        let value = try #require(PresetValue(brightness: brightness, isOn: false))
        let preset = try #require(Preset(name, ruled.map { Preset.Rule($0, value) }))
        let schedule = Schedule(
            name: name,
            displays: .named(Array(ids.prefix(64))),
            from: try #require(ScheduleTime("sunset-11:59")),
            to: try #require(ScheduleTime("sunrise-11:59")),
            effect: .baseline(brightness),
            transition: .seconds(3_599.123456)
        )
        let state = ScheduleState(
            schedule: schedule,
            isActive: false,
            next: .init(at: Moment.start.wall, isBegin: true)
        )
        let sizes = [health.json, room.json, preset.json, state.json].map(\.count)
        #expect(sizes.allSatisfy { (4_096...16_384).contains($0) }, "\(sizes)")
    }
}
