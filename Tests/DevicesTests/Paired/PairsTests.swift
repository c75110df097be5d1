// SPDX-License-Identifier: Apache-2.0
import Synchronization
import TestSupport
import Testing

@testable import BrightnessCore
@testable import Devices

@Suite struct PairsTests {
    private let range = BrightnessRange(maximum: 100)!
    private let hub = NotificationHub(health: Health(needsDisplay: true))
    private let desk = Pairs.Pair(id: DisplayID("desk")!, brightness: DisplayID("veil")!, power: DisplayID("relay")!)

    private func panel(_ id: DisplayID, isSwitchable: Bool = false) -> ScriptedPanel {
        ScriptedPanel(id, name: "The \(id)", range: range, step: 50, isSwitchable: isSwitchable)
    }

    private func admit(_ panel: any Panel, to pairs: Pairs) -> (any Panel)? {
        pairs.admit(.init(panel, on: ImmediateQueue()))?.panel
    }

    @Test func `a panel of no pair is served itself`() {
        let pairs = Pairs([desk])
        let other = panel(DisplayID("other")!)
        #expect(admit(other, to: pairs)?.id == other.id)
        #expect(pairs.display(of: other.id) == other.id)
    }

    @Test(arguments: [true, false])
    func `a pair is served with its second part, in either order`(isBrightnessFirst: Bool) throws {
        let pairs = Pairs([desk])
        let (veil, relay) = (panel(desk.brightness), panel(desk.power, isSwitchable: true))
        let (first, second) = isBrightnessFirst ? (veil, relay) : (relay, veil)
        #expect(admit(first, to: pairs) == nil)
        let pair = try #require(admit(second, to: pairs))
        #expect((pair.id, pair.name, pair.isSwitchable) == (desk.id, "The veil", true))
        #expect(pairs.display(of: desk.power) == desk.id)
        try pair.write(20)
        try pair.writePower(false)
        #expect((veil.writes, veil.switches, relay.writes, relay.switches) == ([20], [], [], [false]))
        #expect(try pair.read() == 20)
        #expect(pair.readPower() == false)
    }

    @Test func `a pair is there while both of its parts are`() throws {
        let pairs = Pairs([desk])
        let (veil, relay) = (panel(desk.brightness), panel(desk.power, isSwitchable: true))
        _ = admit(veil, to: pairs)
        let pair = try #require(admit(relay, to: pairs))
        for part in [veil, relay] {
            part.failReads(.absent(path: part.name))
            #expect(throws: DeviceError.absent(path: part.name)) { try pair.read() }
            #expect(try pair.read() == 50)
        }
    }

    /// The display of a pair whose switch has an interval.
    private func service(of veil: ScriptedPanel, _ relay: ScriptedPanel) throws -> DisplayService {
        let pairs = Pairs([desk])
        _ = admit(veil, to: pairs)
        let pair = try #require(admit(relay, to: pairs))
        return try DisplayService([.init(pair, on: ImmediateQueue())], poster: NotificationHub().poster, at: .start)
    }

    private func slowRelay() -> ScriptedPanel {
        ScriptedPanel(desk.power, range: range, step: 50, isSwitchable: true, switchInterval: .seconds(10))
    }

    @Test func `the brightness of a pair is written right after a switch, which has an interval`() throws {
        let (veil, relay) = (panel(desk.brightness), slowRelay())
        let service = try service(of: veil, relay)
        let actions: [Command.Action] = [
            .setPower(false), .setPower(true), .set(.fraction(Brightness(clamping: 0.2))), .setPower(false),
        ]
        for (action, second) in zip(actions, [0, 20, 20, 20]) { _ = execute(action, by: service, at: second) }
        #expect(veil.writes == [20])
        #expect(relay.switches == [false, true])
    }

    @Test func `a step that a failed write has left is nobody's wish, also while a switch is pending`() throws {
        let veil = panel(desk.brightness)
        let service = try service(of: veil, slowRelay())
        for (isOn, second) in [(false, 0), (true, 20), (false, 21)] {
            _ = execute(.setPower(isOn), by: service, at: second)
        }
        veil.failWrites(.io(path: "/test", errno: 5), takingStep: true)
        _ = execute(.set(.fraction(Brightness(clamping: 0.2))), by: service, at: 22)
        #expect(veil.step == 20)
        #expect(execute(.refresh(), by: service, at: 23)?.baseline.fraction == 0.5)
    }

    // MARK: A monitor and its relay

    private func slowMonitor() -> ScriptedPanel {
        ScriptedPanel(desk.brightness, range: range, step: 50, isCheapToRead: false)
    }

    @Test func `a failed switch of a pair with a monitor ends when its relay is read`() throws {
        let (monitor, relay) = (slowMonitor(), panel(desk.power, isSwitchable: true))
        let service = try service(of: monitor, relay)
        _ = execute(.setPower(false), by: service, at: 0)
        relay.failSwitches(.io(path: "/test", errno: 5))
        #expect(execute(.setPower(true), by: service, at: 1) == nil)
        let reads = monitor.reads
        #expect(execute(.tick, by: service, at: 2)?.isAvailable == true)
        #expect(monitor.reads == reads)
        #expect(service.store.displays(dueAt: Moment.after(.seconds(60)).instant) == [])
    }

    @Test func `a person who switches a pair on at its relay gets the pending brightness`() throws {
        let (monitor, relay) = (slowMonitor(), panel(desk.power, isSwitchable: true))
        let service = try service(of: monitor, relay)
        _ = execute(.setPower(false), by: service, at: 0)
        _ = execute(.set(.fraction(Brightness(clamping: 0.2))), by: service, at: 1)
        relay.isOn = true
        // A monitor that has just got its power answers later.
        monitor.failReads(.io(path: "/test", errno: 5))
        let switched = try #require(execute(.refresh(), by: service, at: 2))
        #expect((switched.power.isOn, switched.power.baseline, switched.isAvailable) == (true, true, false))
        #expect(execute(.tick, by: service, at: 3)?.isAvailable == true)
        #expect((monitor.writes, relay.switches) == ([20], [false]))
    }

    @Test(arguments: [DeviceError.io(path: "/test", errno: 5), .absent(path: "/test")])
    func `a monitor that does not answer right after its relay was switched on is written later`(error: DeviceError)
        throws
    {
        let (monitor, relay) = (slowMonitor(), panel(desk.power, isSwitchable: true))
        let service = try service(of: monitor, relay)
        _ = execute(.setPower(false), by: service, at: 0)
        _ = execute(.set(.fraction(Brightness(clamping: 0.2))), by: service, at: 1)
        monitor.failWrites(error)
        let state = try #require(execute(.setPower(true), by: service, at: 2))
        #expect((state.power.isOn, state.power.baseline, state.isAvailable) == (true, true, false))
        #expect(execute(.tick, by: service, at: 3)?.isAvailable == true)
        #expect((monitor.writes, relay.switches) == ([20, 20], [false, true]))
    }

    @Test func `a relay that returns switched on is not a person's change, also in the dark`() throws {
        let (monitor, relay) = (slowMonitor(), panel(desk.power, isSwitchable: true))
        let service = try service(of: monitor, relay)
        _ = execute(.setPower(false), by: service, at: 0)
        relay.failReads(.abandoned(desk.power), times: .max)
        #expect(execute(.refresh(as: .lost), by: service, at: 1)?.isAvailable == false)
        relay.heal()
        relay.isOn = true
        let state = try #require(execute(.refresh(as: .connected), by: service, at: 2))
        #expect((state.isAvailable, state.power.isOn, state.power.baseline) == (true, false, false))
        #expect((monitor.writes, relay.switches) == ([], [false, false]))
    }

    // MARK: A person at one part while the other is gone

    @Test func `a person switches the power of a pair whose brightness is gone, and a client switches it again`() throws
    {
        let (veil, relay) = (panel(desk.brightness), panel(desk.power, isSwitchable: true))
        let service = try service(of: veil, relay)
        veil.failReads(.absent(path: "/test"), times: .max)
        relay.isOn = false
        let state = try #require(execute(.refresh(), by: service, at: 1))
        #expect((state.isAvailable, state.power.isOn, relay.switches) == (false, false, []))
        #expect(execute(.setPower(true), by: service, at: 2)?.power.isOn == true)
        #expect(relay.switches == [true])
    }

    @Test(arguments: [true, false])
    func `a person's switch of a pair stays when its brightness, which was gone before, is back`(isCheap: Bool) throws {
        let veil = isCheap ? panel(desk.brightness) : slowMonitor()
        let relay = panel(desk.power, isSwitchable: true)
        let service = try service(of: veil, relay)
        veil.failReads(.absent(path: "/test"), times: .max)
        #expect(execute(.refresh(as: .lost), by: service, at: 1)?.power.isOn == true)
        relay.isOn = false
        #expect(execute(.refresh(), by: service, at: 2)?.power.isOn == false)
        veil.heal()
        let state = try #require(execute(.refresh(as: .connected), by: service, at: 3))
        #expect((state.isAvailable, state.power.isOn, relay.switches) == (true, false, []))
    }

    @Test func `a person's brightness of a pair without its power is its baseline`() throws {
        let (veil, relay) = (panel(desk.brightness), panel(desk.power, isSwitchable: true))
        let service = try service(of: veil, relay)
        relay.failReads(.abandoned(desk.power), times: .max)
        #expect(execute(.refresh(as: .lost), by: service, at: 1)?.isAvailable == false)
        veil.step = 70
        #expect(execute(.refresh(), by: service, at: 2)?.baseline.fraction == 0.7)
        relay.heal()
        let state = try #require(execute(.refresh(as: .connected), by: service, at: 3))
        #expect((state.isAvailable, state.baseline.fraction, veil.writes) == (true, 0.7, []))
    }

    @Test func `a client that returns to a pair without its power gets its brightness`() throws {
        let (veil, relay) = (panel(desk.brightness), panel(desk.power, isSwitchable: true))
        let service = try service(of: veil, relay)
        relay.failReads(.abandoned(desk.power), times: .max)
        veil.failReads(.abandoned(desk.brightness, step: 50), times: .max)
        #expect(execute(.refresh(as: .lost), by: service, at: 1)?.isAvailable == false)
        veil.heal()
        veil.step = 100
        #expect(execute(.refresh(as: .connected), by: service, at: 2)?.baseline.fraction == 0.5)
        #expect(veil.writes == [50])
    }

    @Test func `a step that a failed write has left at a pair without its power is nobody's wish`() throws {
        let (veil, relay) = (panel(desk.brightness), panel(desk.power, isSwitchable: true))
        let service = try service(of: veil, relay)
        for (holder, fraction) in [("low", 0.7), ("high", 0.9)] {
            let level = BrightnessLevel.fraction(Brightness(clamping: fraction))
            _ = execute(.grant(LeaseRequest(at: level, ttl: .seconds(60), holder: holder)), by: service, at: 0)
        }
        relay.failReads(.abandoned(desk.power), times: .max)
        _ = execute(.refresh(as: .lost), by: service, at: 1)
        veil.failWrites(.io(path: "/test", errno: 5), times: .max, takingStep: true)
        // Before the next try.
        _ = execute(.restore(holder: "high"), by: service, at: 1)
        #expect(veil.writes == [70, 90, 70])
        let state = try #require(execute(.refresh(), by: service, at: 1))
        #expect((state.baseline.fraction, state.boost?.isOverridden) == (0.5, false))
    }

    // MARK: A television without its pin

    @Test(arguments: [true, false])
    func `a pair whose television is unplugged begins with the brightness of its other part`(isCheap: Bool) throws {
        let veil = ScriptedPanel(desk.brightness, range: range, step: 60, isCheapToRead: isCheap)
        let television = panel(desk.power, isSwitchable: true)
        television.failReads(.unplugged(path: "/dev/cec0"), times: .max)
        let service = try service(of: veil, television)
        let state = try #require(service.state(of: desk.id))
        #expect((state.isAvailable, state.baseline.fraction) == (false, 0.6))
        television.heal()
        #expect(execute(.refresh(), by: service, at: 1)?.isAvailable == true)
        #expect(veil.writes == [])
    }

    @Test func `a restart without the television and the monitor of a pair keeps its baseline`() throws {
        let pairs = Pairs([desk])
        let (monitor, television) = (slowMonitor(), panel(desk.power, isSwitchable: true))
        monitor.failReads(.io(path: "/test", errno: 5), times: .max)
        television.failReads(.unplugged(path: "/dev/cec0"), times: .max)
        _ = admit(monitor, to: pairs)
        let pair = try #require(admit(television, to: pairs))
        let service = try DisplayService(
            [.init(pair, on: ImmediateQueue())],
            .init(earlier: [desk.id: RecoveredRecord(record(), isOfThisBoot: true)]),
            poster: hub.poster,
            at: .start
        )
        #expect(service.state(of: desk.id)?.baseline.fraction == 0.5)
    }

    // MARK: An earlier run

    /// The record of a run that was killed, and whose leases are over by now.
    private func record(shows step: Int = 50, isDark: Bool = false) -> DisplayRecord {
        DisplayRecord(
            id: desk.id,
            maximum: 100,
            baseline: Brightness(clamping: 0.5),
            baselineStep: 50,
            floor: step == 50 ? nil : min(step, 50),
            ceiling: step == 50 ? nil : max(step, 50),
            mayBeDark: isDark
        )
    }

    /// Goes on with a pair of which only this part has come.
    private func resume(_ pairs: Pairs, with part: ScriptedPanel, from record: DisplayRecord) throws -> DisplayService {
        #expect(admit(part, to: pairs) == nil)
        return try DisplayService(
            [.init(pairs.resume(desk, from: record).panel, on: ImmediateQueue())],
            .init(earlier: [desk.id: RecoveredRecord(record, isOfThisBoot: true)]),
            poster: hub.poster,
            at: .start
        )
    }

    private var health: Health? { if case .health(let health) = hub.source.retained(.health) { health } else { nil } }

    private func execute(_ action: Command.Action, by service: DisplayService, at seconds: Int) -> DisplayState? {
        let state = Mutex<DisplayState?>(nil)
        service.submit(Command(action), to: desk.id, at: .after(.seconds(seconds))) { result in
            state.withLock { $0 = try? result.get().state }
        }
        return state.withLock(\.self)
    }

    @Test func `a pair that was left dark is lit although the part with its brightness has not come`() throws {
        let pairs = Pairs([desk])
        let relay = panel(desk.power, isSwitchable: true)
        relay.isOn = false
        let service = try resume(pairs, with: relay, from: record(isDark: true))
        #expect(relay.switches == [true])
        let state = try #require(service.state(of: desk.id))
        #expect((state.isAvailable, state.power.isOn) == (false, true))
        #expect((health?.waiting, health?.unavailable, health?.isReady) == ([desk.id], [], true))

        let veil = panel(desk.brightness)
        veil.step = 80
        #expect(admit(veil, to: pairs) == nil)
        let served = try #require(execute(.refresh(as: .connected), by: service, at: 1))
        #expect((served.isAvailable, served.name, served.kind) == (true, "The veil", .backlight))
        #expect(veil.writes == [50])
        #expect((health?.waiting, health?.unavailable) == ([], []))
    }

    @Test func `a pair that was left raised is restored although the part with its power has not come`() throws {
        let veil = panel(desk.brightness)
        veil.step = 90
        let service = try resume(Pairs([desk]), with: veil, from: record(shows: 90))
        #expect(veil.writes == [50])
        #expect(service.state(of: desk.id)?.isAvailable == false)
    }

    @Test func `a pair whose monitor is missing waits for no client, so the daemon is not ready`() throws {
        var record = record(shows: 90)
        record.device = DeviceRecord(parts: [desk.brightness: DeviceRecord(address: "ddc:DP-1@5")])
        let service = try resume(Pairs([desk]), with: panel(desk.power, isSwitchable: true), from: record)
        #expect(service.state(of: desk.id)?.baseline.fraction == 0.5)
        #expect((health?.waiting, health?.unavailable, health?.isReady) == ([], [desk.id], false))
    }

    @Test func `a person switches a pair although the part with its brightness has not come`() throws {
        let relay = panel(desk.power, isSwitchable: true)
        let service = try resume(Pairs([desk]), with: relay, from: record())
        for (isOn, second) in [(false, 1), (true, 2)] {
            let state = try #require(execute(.setPower(isOn), by: service, at: second))
            #expect((state.power.isOn, state.isAvailable) == (isOn, false))
        }
        #expect(relay.switches == [false, true])
    }

    @Test func `a part that comes with other steps gives them to its pair`() throws {
        let pairs = Pairs([desk])
        let service = try resume(pairs, with: panel(desk.power, isSwitchable: true), from: record())
        let veil = ScriptedPanel(desk.brightness, range: BrightnessRange(maximum: 10)!, step: 10)
        #expect(admit(veil, to: pairs) == nil)
        let state = try #require(execute(.refresh(as: .connected), by: service, at: 1))
        #expect((state.range.maximum, state.step, state.baseline.fraction) == (10, 5, 0.5))
        #expect(veil.writes == [5])
    }

    @Test func `a pair passes the reports of both parts on, also of a part that came again`() async throws {
        let pairs = Pairs([desk])
        let (veil, relay) = (panel(desk.brightness), panel(desk.power))
        _ = admit(veil, to: pairs)
        var reports = try #require(admit(relay, to: pairs)).changes.makeAsyncIterator()
        veil.hint(.hotkey)
        #expect(await reports.next() == .hotkey)
        relay.hint(.external)
        #expect(await reports.next() == .external)

        pairs.remove(desk.brightness)
        #expect(await reports.next() == nil)
        let again = panel(desk.brightness)
        reports = try #require(admit(again, to: pairs)).changes.makeAsyncIterator()
        relay.hint(.external)
        #expect(await reports.next() == .external)
        again.hint(.connected)
        #expect(await reports.next() == .connected)
    }
}

@Suite struct DisplayPairTests {
    @Test func `a part is an id or a device`() throws {
        let pair = try #require(DisplayPair("lobby=lobby-page+led:desk"))
        #expect(pair.id.text == "lobby")
        #expect(pair.brightness == .display(DisplayID("lobby-page")!))
        #expect(pair.power == .device(.led(KernelName("desk")!)))
        #expect(try #require(DisplayPair("a=b+cec:0")).power == .device(.cec(0)))
        #expect(
            try #require(DisplayPair("a=simulated+simulated:b")).devices == [
                .simulated(nil), .simulated(DisplayID("b")),
            ]
        )
    }

    @Test(arguments: [
        "", "lobby", "lobby=", "lobby=a", "lobby=a+", "=a+b", "lobby=a+b+c", "hall:x=a+b", "lobby=hall:x+b", "all=a+b",
        "lobby=auto+b", "lobby=none+b", "lobby=a+cec:auto",
        "lobby=a+nope:b", "lobby=all+b", "lobby=a b+c", "lobby=ddc:+b",
    ])
    func `another text is not a pair`(text: String) { #expect(DisplayPair(text) == nil) }
}
