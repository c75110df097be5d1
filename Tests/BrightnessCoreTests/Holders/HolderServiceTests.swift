// SPDX-License-Identifier: Apache-2.0
import Synchronization
import TestSupport
import Testing

@testable import BrightnessCore

/// Schedules on a display.
struct HolderServiceTests {
    private let noon = Schedule.of("11:00", "13:00", name: "noon")
    private let fixture: HolderFixture

    init() throws {
        fixture = try HolderFixture()
        set("2026-11-21T12:00")
    }

    private func set(_ wall: String) { fixture.wall.withLock { $0 = wall } }

    private func put(_ schedule: Schedule, _ service: HolderService) -> Result<Bool, Schedules.Failure>? {
        let result = Mutex<Result<Bool, Schedules.Failure>?>(nil)
        service.edit(.put(schedule)) { answer in result.withLock { $0 = answer } }
        return result.withLock { $0 }
    }

    @Test func `a schedule that is put inside its interval is in force at once`() throws {
        let service = fixture.service(fixture.schedules())
        #expect(put(noon, service) == .success(true))
        #expect(fixture.panel.step == 20)
        let lease = try #require(fixture.leases.first)
        #expect(lease.holder == "schedule:noon")
        #expect(lease.principal == .daemon)
        #expect(lease.end == nil)
        #expect(fixture.state.cause.kind == .schedule)
        #expect(fixture.state.cause.by == "schedule:noon")
        #expect(service.scheduleReport.schedules.map(\.isActive) == [true])
        #expect(put(noon, service) == .success(false))
        #expect(fixture.stored.withLock { $0 } == [noon.name: ScheduleRecord(schedule: noon)])
    }

    @Test func `an edited schedule goes on with its new brightness and ends what it no longer includes`() {
        let service = fixture.service(fixture.schedules(noon))
        let id = fixture.leases.map(\.id)
        #expect(put(.of("11:00", "13:00", name: "noon", .lease(.dim, .at(0.1))), service) == .success(false))
        #expect(fixture.panel.writes == [20, 10])
        #expect(fixture.leases.map(\.id) == id)
        #expect(put(.of("11:00", "13:00", name: "noon", .lease(.sleep, nil)), service) == .success(false))
        #expect(fixture.leases.map(\.kind) == [.sleep])
        let other = Schedule.of("11:00", "13:00", displays: .named([.right]), name: "noon", .lease(.sleep, nil))
        #expect(put(other, service) == .success(false))
        #expect(fixture.leases.isEmpty)
        #expect(fixture.panel.step == 80)
    }

    @Test func `a removed schedule restores the display and leaves the journal`() {
        let service = fixture.service(fixture.schedules(noon))
        service.edit(.remove(noon.name)) { _ in }
        #expect(fixture.panel.step == 80)
        #expect(fixture.state.cause.kind == .schedule)
        #expect(fixture.stored.withLock { $0 } == [noon.name: nil])
        #expect(service.scheduleReport.schedules.isEmpty)
    }

    @Test func `schedules of an earlier run are in force and reported before a job of the queue has run`() {
        let service = fixture.service(fixture.schedules(noon), on: ManualQueue())
        #expect(fixture.panel.step == 20)
        #expect(service.scheduleReport.schedules.map(\.schedule) == [noon])
        #expect(service.scheduleReport.schedules.map(\.isActive) == [true])
    }

    @Test func `a place is in force and stored before the answer`() {
        set("2026-11-21T20:00")
        let service = fixture.service(fixture.schedules(.of("sunset", "23:59", name: "dusk")))
        #expect(fixture.leases.isEmpty)
        let isAnswered = Mutex(false)
        service.setLocation(Location("51.5,0")) { wanted in isAnswered.withLock { $0 = wanted } }
        #expect(isAnswered.withLock { $0 })
        #expect(fixture.leases.map(\.holder) == ["schedule:dusk"])
        #expect(service.location == MachineLocation(location: Location("51.5,0")!, isChosen: true))
        #expect(fixture.place.withLock { $0 } == .some(Location("51.5,0")))
        service.setLocation(nil) { _ in }
        #expect(fixture.leases.isEmpty)
        #expect(fixture.place.withLock { $0 } == .some(nil))
    }

    @Test func `that there are no schedules is reported, too`() {
        _ = fixture.service(fixture.schedules())
        #expect(fixture.hub.source.retained(.schedules) == .schedules(ScheduleReport(schedules: [], isClockSet: true)))
    }

    @Test func `a lease that an earlier run left is ended if its schedule is not in force`() {
        for (holder, brightness) in [("schedule:old", 0.1), ("schedule:noon", 0.3)] {
            let left = LeaseRequest(.dim, at: .fraction(.at(brightness)), lifespan: .lifetime, holder: holder)
            fixture.displays.submit(Command(.grant(left)), to: .left, at: fixture.moment) { _ in }
        }
        let service = fixture.service(fixture.schedules(noon))
        #expect(fixture.leases.map(\.holder) == ["schedule:noon"])
        #expect(fixture.panel.step == 20)
        withExtendedLifetime(service) {}
    }

    @Test func `a lease that an earlier run left on a display that is plugged in later is ended, too`() throws {
        let service = fixture.service(fixture.schedules(noon))
        let panel = ScriptedPanel(.right, range: BrightnessRange(maximum: 100)!, step: 80)
        try fixture.displays.add(.init(panel, on: ImmediateQueue()), at: fixture.moment)
        for schedule in ["noon", "evening"] {
            let left = LeaseRequest(.dim, at: .fraction(.at(0.2)), lifespan: .lifetime, holder: "schedule:\(schedule)")
            fixture.displays.submit(Command(.grant(left)), to: .right, at: fixture.moment) { _ in }
        }
        service.evaluate()
        #expect(fixture.displays.leases(of: .right)?.all.map(\.holder) == ["schedule:noon"])
        #expect(fixture.leases.map(\.holder) == ["schedule:noon"])
    }

    @Test func `a display that cannot be switched is left alone by a sleep`() throws {
        let panel = ScriptedPanel(.right, range: BrightnessRange(maximum: 100)!, step: 80)
        try fixture.displays.add(.init(panel, on: ImmediateQueue()), at: fixture.moment)
        let service = fixture.service(fixture.schedules(.of("11:00", "13:00", name: "off", .lease(.sleep, nil))))
        #expect(fixture.displays.leases(of: .right)?.all.isEmpty == true)
        #expect(service.evaluate() != nil)
    }

    @Test func `health waits for the clock and stays ready`() {
        fixture.isClockSet.withLock { $0 = false }
        let service = fixture.service(fixture.schedules(noon))
        #expect(fixture.panel.step == 80)
        guard case .health(let health) = fixture.hub.source.retained(.health) else {
            Issue.record("there is no health")
            return
        }
        #expect(health.schedules == .waiting)
        #expect(health.isReady)
        #expect(!service.scheduleReport.isClockSet)
    }

    // MARK: Order

    @Test func `a start in the middle of two intervals sets the brightness of the one that began last`() {
        let day = Schedule.of("08:00", "20:00", name: "day", .baseline(.at(0.7)))
        let afternoon = Schedule.of("10:00", "20:00", name: "afternoon", .baseline(.at(0.4)))
        _ = fixture.service(fixture.schedules(day, afternoon))
        #expect(fixture.panel.writes == [40])
        #expect(fixture.stored.withLock { $0.count } == 2)
    }

    @Test(arguments: [("a", "b"), ("b", "a")])
    func `a display stays dark from one schedule to the next`(first: String, second: String) {
        set("2026-11-21T12:59")
        let service = fixture.service(
            fixture.schedules(
                .of("11:00", "13:00", name: first, .lease(.sleep, nil)),
                .of("13:00", "15:00", name: second, .lease(.sleep, nil))
            )
        )
        #expect(fixture.panel.switches == [false])
        set("2026-11-21T13:00")
        service.evaluate()
        #expect(fixture.leases.map(\.holder) == ["schedule:\(second)"])
        #expect(fixture.panel.switches == [false])
    }

    @Test func `a schedule of the whole day goes on at midnight, and begins again where a person overrode it`() throws {
        set("2026-11-21T23:59")
        let service = fixture.service(fixture.schedules(.of("00:00", "00:00", name: "always")))
        let first = fixture.leases.map(\.id)
        set("2026-11-22T00:00")
        service.evaluate()
        #expect(fixture.leases.map(\.id) == first)
        #expect(fixture.panel.writes == [20])
        fixture.panel.step = 60
        fixture.refresh()
        #expect(fixture.leases.map(\.isOverridden) == [true])
        set("2026-11-23T00:00")
        service.evaluate()
        #expect(fixture.leases.map(\.isOverridden) == [false])
        #expect(fixture.panel.step == 20)
    }

    // MARK: Faults

    @Test func `a refused begin is requested again after 30 seconds, and once`() {
        fixture.panel.failWrites(.refused)
        let service = fixture.service(fixture.schedules(noon))
        #expect(fixture.leases.isEmpty)
        fixture.clock.advance(by: .seconds(29))
        #expect(service.evaluate(onlyDue: true) == fixture.clock.now + .seconds(1))
        #expect(fixture.leases.isEmpty)
        fixture.clock.advance(by: .seconds(1))
        service.evaluate(onlyDue: true)
        #expect(fixture.leases.map(\.holder) == ["schedule:noon"])
        #expect(throws: Never.self) { try fixture.client(.restoreAll()) }
        fixture.clock.advance(by: .seconds(30))
        service.evaluate()
        #expect(fixture.leases.isEmpty)
    }

    @Test func `a wish that an unavailable display refuses is carried out when it is back, and not before`() {
        let failures = fixture.hub.source.listen(to: NotificationFilter([.failure])) {}
        fixture.panel.failReads(.gone, times: .max)
        fixture.panel.failWrites(.gone, times: .max)
        fixture.refresh()
        #expect(failures.drain().count == 1)
        let service = fixture.service(fixture.schedules(noon))
        let tries = fixture.panel.writes.count
        for _ in 0..<3 {
            fixture.clock.advance(by: .seconds(30))
            service.evaluate(onlyDue: true)
        }
        #expect(fixture.panel.writes.count == tries)
        #expect(fixture.leases.isEmpty)
        #expect(failures.drain().isEmpty)
        fixture.panel.heal()
        fixture.refresh()
        service.evaluate(onlyDue: true)
        #expect(fixture.leases.map(\.holder) == ["schedule:noon"])
        #expect(fixture.panel.step == 20)
    }

    @Test(.timeLimit(.minutes(1))) func `a display that is back wakes the service`() async throws {
        fixture.panel.failReads(.gone, times: .max)
        fixture.panel.failWrites(.gone, times: .max)
        fixture.refresh()
        let service = fixture.service(fixture.schedules(noon))
        let run = Task { await service.run(on: fixture.clock) }
        _ = try await fixture.clock.nextSleep()
        fixture.panel.heal()
        fixture.refresh()
        _ = try await fixture.clock.nextSleep()
        #expect(fixture.panel.step == 20)
        run.cancel()
        await run.value
    }

    @Test func `a schedule of all displays is for one that comes later, too, and a boost of all is not`() throws {
        let service = fixture.service(fixture.schedules(noon))
        let handler = CommandHandler(fixture.displays, fixture.hub.source, groups: .none)
        let all = try handler.displays(of: .all)
        try handler.execution(of: Command(.boost(by: "qr")), on: all).start(at: fixture.moment) {}
        let panel = ScriptedPanel(.right, range: BrightnessRange(maximum: 100)!, step: 80)
        try fixture.displays.add(.init(panel, on: ImmediateQueue()), at: fixture.moment)
        service.evaluate()
        #expect(Set(fixture.leases.map(\.holder)) == ["schedule:noon", "qr"])
        #expect(fixture.displays.leases(of: .right)?.all.map(\.holder) == ["schedule:noon"])
    }

    @Test func `the refusals of a holder's wish are reported once`() {
        let failures = fixture.hub.source.listen(to: NotificationFilter([.failure])) {}
        fixture.panel.failWrites(.refused, times: .max)
        let service = fixture.service(fixture.schedules(noon))
        #expect(failures.drain().count == 1)
        for _ in 0..<3 {
            fixture.clock.advance(by: .seconds(30))
            service.evaluate(onlyDue: true)
        }
        #expect(failures.drain().isEmpty)
        #expect(throws: CommandError.panel(.refused)) { try fixture.client(.set(0.5)) }
        #expect(failures.drain().count == 1)
    }

    @Test func `a refused baseline does not replace a later one whose schedule was removed`() {
        fixture.panel.failWrites(.refused)
        let service = fixture.service(fixture.schedules(.of("08:00", "20:00", name: "day", .baseline(.at(0.6)))))
        #expect(put(.of("11:00", "13:00", name: "noon", .baseline(.at(0.4))), service) == .success(true))
        #expect(fixture.panel.step == 40)
        service.edit(.remove(noon.name)) { _ in }
        fixture.clock.advance(by: .seconds(30))
        service.evaluate()
        #expect(fixture.panel.step == 40)
    }

    @Test(arguments: [true, false]) func `a refused baseline does not replace what a person has chosen since`(
        isAtThePanel: Bool
    ) throws {
        try fixture.client(.set(0.9))
        fixture.clock.advance(by: .seconds(1))
        fixture.panel.failWrites(.refused)
        let service = fixture.service(fixture.schedules(.of("08:00", "20:00", name: "day", .baseline(.at(0.6)))))
        #expect(fixture.panel.step == 90)
        fixture.clock.advance(by: .seconds(10))
        if isAtThePanel {
            fixture.panel.step = 30
            fixture.refresh()
        } else {
            try fixture.client(.set(0.3))
        }
        fixture.clock.advance(by: .seconds(20))
        service.evaluate()
        fixture.clock.advance(by: .seconds(60))
        service.evaluate()
        #expect(fixture.panel.step == 30)
        // An edit is newer.
        #expect(put(.of("08:00", "20:00", name: "day", .baseline(.at(0.7))), service) == .success(false))
        #expect(fixture.panel.step == 70)
    }

    @Test func `a refused baseline is set after a restart within its interval, and only there`() throws {
        let panel = ScriptedPanel(.right, range: BrightnessRange(maximum: 100)!, step: 80)
        try fixture.displays.add(.init(panel, on: ImmediateQueue()), at: fixture.moment)
        panel.failWrites(.refused)
        let day = Schedule.of("08:00", "20:00", name: "day", .baseline(.at(0.6)))
        _ = fixture.service(fixture.schedules(day))
        #expect([fixture.panel.step, panel.step] == [60, 80])
        let record = try #require(fixture.stored.withLock { $0[day.name] } ?? nil)
        #expect(record.setOn == [.left])
        try fixture.client(.set(0.3))
        _ = fixture.service(Schedules(SchedulePlanner(FakeZone.utc), [record]))
        #expect([fixture.panel.step, panel.step] == [30, 60])
    }

    @Test func `a panel that is plugged in again keeps what a person has set and ended`() throws {
        let fixture = try HolderFixture(comesAndGoes: true)
        fixture.wall.withLock { $0 = "2026-11-21T12:00" }
        let day = Schedule.of("08:00", "20:00", name: "day", .baseline(.at(0.6)))
        let service = fixture.service(fixture.schedules(day, noon))
        try fixture.client(.set(0.95))
        try fixture.client(.restoreAll())
        #expect(fixture.panel.step == 95)
        fixture.panel.failReads(.gone, times: .max)
        fixture.panel.failWrites(.gone, times: .max)
        fixture.refresh()
        service.evaluate()
        #expect(fixture.displays.own.isEmpty)
        fixture.panel.heal()
        fixture.refresh()
        service.evaluate()
        #expect(fixture.displays.own.count == 1)
        #expect(fixture.panel.step == 95)
        #expect(fixture.leases.isEmpty)
    }

    @Test func `a schedule ends while its panel is unplugged`() throws {
        let fixture = try HolderFixture(comesAndGoes: true)
        fixture.wall.withLock { $0 = "2026-11-21T12:00" }
        let service = fixture.service(fixture.schedules(noon))
        fixture.panel.failReads(.gone, times: .max)
        fixture.panel.failWrites(.gone, times: .max)
        fixture.refresh()
        fixture.wall.withLock { $0 = "2026-11-21T13:00" }
        service.evaluate()
        fixture.panel.heal()
        fixture.refresh()
        service.evaluate()
        #expect(fixture.leases.isEmpty)
        #expect(fixture.panel.step == 80)
    }

    @Test func `after a restart a person's change counts until its interval ends`() {
        _ = fixture.service(fixture.schedules(noon))
        fixture.panel.step = 50
        fixture.refresh()
        _ = fixture.service(fixture.schedules(noon))
        #expect(fixture.panel.step == 50)
        #expect(fixture.leases.map(\.isOverridden) == [true])
        set("2026-11-22T12:00")
        _ = fixture.service(fixture.schedules(noon))
        #expect(fixture.panel.step == 20)
        #expect(fixture.leases.map(\.isOverridden) == [false])
    }

    @Test func `a schedule that is put shortly before its interval begins in time`() async throws {
        let service = fixture.service(fixture.schedules())
        set("2026-11-21T10:59:50")
        let run = Task { await service.run(on: fixture.clock) }
        #expect(try await fixture.clock.nextSleep() == fixture.clock.now + .seconds(60))
        #expect(put(noon, service) == .success(true))
        #expect(try await fixture.clock.nextSleep() == fixture.clock.now + .seconds(10))
        run.cancel()
        await run.value
    }

    @Test func `a clock that was set is noticed at once`() async throws {
        let (fixture, changes) = (fixture, AsyncStream.makeStream(of: Void.self))
        let service = fixture.service(fixture.schedules(.of("15:00", "16:00", name: "tea")))
        let run = Task { await service.run(on: fixture.clock) }
        _ = try await fixture.clock.nextSleep()
        let listener = fixture.hub.source.listen(to: NotificationFilter([.state])) { changes.continuation.yield() }
        _ = listener.drain()
        set("2026-11-21T15:30")
        fixture.hub.poster.post(.clockSet)
        var iterator = changes.stream.makeAsyncIterator()
        await iterator.next()
        #expect(fixture.panel.step == 20)
        run.cancel()
        await run.value
    }
}

/// `idle` on a display that is dimmed to 10 % after 60 s and switched off after 300 s without activity.
struct IdleOnADisplayTests {
    private let fixture: HolderFixture
    private let service: HolderService

    init() throws {
        fixture = try HolderFixture()
        service = fixture.service(Self.idle())
    }

    private static func idle(dimAfter: Duration = .seconds(60)) -> Idle {
        Idle(IdleRules(dim: .init(after: dimAfter, brightness: .at(0.1)), sleepAfter: .seconds(300)), at: .start)
    }

    /// The kinds of the leases of `idle`.
    private var held: [LeaseKind] {
        fixture.leases.filter { $0.holder == "idle" && $0.principal == .daemon }.map(\.kind)
    }

    /// Evaluates after this time. Returns the next deadline.
    @discardableResult
    private func evaluate(after time: Duration = .zero) -> Instant? {
        fixture.clock.advance(by: time)
        return service.evaluate(onlyDue: true)
    }

    /// A client's command, and the evaluation after it.
    @discardableResult
    private func client(_ action: Command.Action) throws -> DisplayState {
        let state = try fixture.client(action)
        evaluate()
        return state
    }

    @Test func `a display is dimmed, then switched off, with the cause idle`() {
        #expect(evaluate() == fixture.clock.now + .seconds(60))
        #expect(evaluate(after: .seconds(60)) == fixture.clock.now + .seconds(240))
        #expect(fixture.panel.step == 10)
        #expect(fixture.state.cause.kind == .idle)
        #expect(fixture.state.cause.by == "idle")
        #expect(fixture.leases.map(\.end) == [nil])
        #expect(evaluate(after: .seconds(240)) == nil)
        #expect(fixture.panel.isOn == false)
        #expect(held == [.dim, .sleep])
    }

    @Test func `a command that a slow panel answers late counts when it is answered`() throws {
        let monitor = ManualQueue()
        let fixture = try HolderFixture(on: monitor)
        let service = fixture.service(Self.idle())
        fixture.displays.submit(
            Command(.move(delta: 0.1), requester: Requester(.anonymous, isAdmin: true)),
            to: .left,
            at: fixture.clock.moment
        ) { _ in }
        fixture.clock.advance(by: .seconds(50))
        fixture.displays.reportActivity()
        monitor.runAll()
        service.evaluate()
        fixture.clock.advance(by: .seconds(59))
        service.evaluate()
        monitor.runAll()
        #expect(fixture.leases.isEmpty)
    }

    @Test func `the answer to a PUT has the display without the leases of idle, in one write`() throws {
        evaluate(after: .seconds(300))
        let writes = fixture.panel.writes.count
        let state = try client(.set(0.5))
        #expect(state.dim == nil)
        #expect(state.sleep == nil)
        #expect(state.brightness == .at(0.5))
        #expect(state.cause.kind == .api)
        #expect(state.cause.by == nil)
        #expect(fixture.panel.isOn)
        #expect(fixture.panel.writes.count == writes + 1)
    }

    @Test(arguments: [LeaseKind.boost, .wake]) func `granting a boost or a wake ends them, renewing does not`(
        kind: LeaseKind
    ) throws {
        evaluate(after: .seconds(60))
        try client(.lease(kind, 1, by: "kiosk-3", for: .seconds(600)))
        #expect(held.isEmpty)
        // A person's hand: the lease is not in force any more, so the display is idle again.
        try client(.setPower(true))
        fixture.panel.step = 40
        try client(.refresh())
        evaluate(after: .seconds(60))
        #expect(held == [.dim])
        try client(.lease(kind, 1, by: "kiosk-3", for: .seconds(600)))
        #expect(held == [.dim])
    }

    @Test func `a dim and the end of a lease do not count as activity`() throws {
        try client(.boost(1, by: "kiosk-3", for: .seconds(600)))
        try client(.lease(.dim, 0.05, by: "film", for: .seconds(600)))
        evaluate(after: .seconds(120))
        #expect(held.isEmpty)
        try client(.restore(holder: "kiosk-3"))
        #expect(held == [.dim])
        try client(.lease(.dim, 0.06, by: "book", for: .seconds(600)))
        #expect(held == [.dim])
    }

    @Test func `a request that fails does not count as activity`() throws {
        evaluate(after: .seconds(60))
        fixture.panel.failWrites(.refused)
        #expect(throws: CommandError.panel(.refused)) { try client(.set(0.05)) }
        #expect(held == [.dim])
    }

    @Test func `a schedule's changes do not count as activity, and its boost keeps the display bright`() {
        evaluate(after: .seconds(60))
        var command = Command(.set(0.5), by: "schedule:day")
        command.channel = .schedule
        fixture.displays.submit(command, to: .left, at: fixture.moment) { _ in }
        #expect(held == [.dim])
        command.action = .grant(LeaseRequest(at: .fraction(.full), lifespan: .lifetime, holder: "schedule:day"))
        fixture.displays.submit(command, to: .left, at: fixture.moment) { _ in }
        evaluate()
        #expect(held.isEmpty)
        #expect(fixture.panel.step == 100)
    }

    /// The boost of a schedule comes into force and ends.
    private func boostBySchedule() {
        let holder = "schedule:day"
        for action in [
            Command.Action.grant(LeaseRequest(at: .fraction(.full), lifespan: .lifetime, holder: holder)),
            .restore(holder: holder),
        ] {
            var command = Command(action, by: holder)
            command.channel = .schedule
            fixture.displays.submit(command, to: .left, at: fixture.moment) { _ in }
            evaluate()
        }
    }

    @Test func `a dim and a sleep return after a schedule's boost`() {
        evaluate(after: .seconds(300))
        for _ in 1...2 {
            boostBySchedule()
            #expect(Set(held) == [.dim, .sleep])
            #expect(!fixture.panel.isOn)
        }
    }

    @Test(arguments: [true, false]) func `a dim that a person has overridden or ended stays away after a boost`(
        isOverridden: Bool
    ) throws {
        evaluate(after: .seconds(60))
        if isOverridden {
            fixture.panel.step = 40
            try client(.refresh())
        } else {
            try client(.restoreAll())
        }
        let step = fixture.panel.step
        for _ in 1...2 {
            boostBySchedule()
            evaluate(after: .seconds(1))
            #expect(held.isEmpty)
            #expect(fixture.panel.step == step)
        }
        fixture.displays.reportActivity()
        evaluate()
        evaluate(after: .seconds(60))
        #expect(held == [.dim])
    }

    @Test func `a person's hand overrides the dim until there is activity`() throws {
        evaluate(after: .seconds(60))
        fixture.panel.step = 40
        try client(.refresh())
        #expect(fixture.leases.map(\.isOverridden) == [true])
        evaluate(after: .seconds(100))
        #expect(fixture.panel.step == 40)
        try client(.set(0.6))
        #expect(fixture.leases.isEmpty)
        evaluate(after: .seconds(60))
        #expect(fixture.panel.step == 10)
    }

    @Test func `a client that ends all leases is activity`() throws {
        evaluate(after: .seconds(60))
        try client(.restoreAll())
        evaluate(after: .seconds(59))
        #expect(held.isEmpty)
        evaluate(after: .seconds(1))
        #expect(held == [.dim])
    }

    @Test func `a client that ends a wake does not make the screen go off at once`() throws {
        try client(.lease(.wake, by: "door", for: .seconds(600)))
        evaluate(after: .seconds(400))
        #expect(held.isEmpty)
        try client(.restoreAll())
        evaluate()
        #expect(held.isEmpty)
        #expect(fixture.panel.isOn)
    }

    @Test func `a lease that was refused and granted later is not granted once more`() throws {
        let fixture = try HolderFixture()
        let service = fixture.service(Self.idle(dimAfter: .seconds(1)))
        fixture.panel.failWrites(.refused)
        fixture.clock.advance(by: .seconds(1))
        service.evaluate()
        fixture.displays.reportActivity()
        service.evaluate()
        fixture.clock.advance(by: .seconds(1))
        service.evaluate()
        let leases = fixture.leases
        #expect(leases.map(\.kind) == [.dim])
        try fixture.client(.release(try #require(leases.first?.id)))
        fixture.clock.advance(by: .seconds(30))
        service.evaluate()
        #expect(fixture.leases.isEmpty)
    }

    @Test func `a machine that wakes counts as used`() {
        fixture.slept.withLock { $0 = .seconds(3_600) }
        #expect(evaluate(after: .seconds(3_600)) == fixture.clock.now + .seconds(60))
        #expect(held.isEmpty)
    }

    @Test func `reported activity ends the leases, with the cause idle`() async throws {
        let (fixture, service, done) = (fixture, service, AsyncStream.makeStream(of: Void.self))
        let listener = fixture.hub.source.listen(to: NotificationFilter([.state])) { done.continuation.yield() }
        let run = Task { await service.run(on: fixture.clock) }
        _ = try await fixture.clock.nextSleep()
        var changes = done.stream.makeAsyncIterator()
        _ = listener.drain()
        fixture.clock.advance(by: .seconds(60))
        await changes.next()
        _ = listener.drain()
        #expect(fixture.panel.step == 10)
        // The evaluation that granted the lease ends with the next sleep.
        _ = try await fixture.clock.nextSleep()
        fixture.displays.reportActivity()
        await changes.next()
        #expect(fixture.panel.step == 80)
        #expect(fixture.state.cause.kind == .idle)
        run.cancel()
        await run.value
    }
}

/// `presence` on a display.
struct PresenceOnADisplayTests {
    private let fixture: HolderFixture
    private let service: HolderService

    init() throws {
        fixture = try HolderFixture()
        service = fixture.service(Presence(wakingFor: .seconds(60)))
    }

    private func report(isNear: Bool, after time: Duration = .zero) {
        fixture.clock.advance(by: time)
        fixture.hub.poster.post(.presence(isNear: isNear))
        service.evaluate(onlyDue: true)
    }

    private func evaluate(after time: Duration) {
        fixture.clock.advance(by: time)
        service.evaluate(onlyDue: true)
    }

    @Test func `the wake has a time limit and is extended`() throws {
        report(isNear: true)
        let lease = try #require(fixture.leases.first)
        #expect(lease.kind == .wake)
        #expect(lease.holder == "presence")
        #expect(lease.principal == .daemon)
        #expect(lease.end == fixture.moment + .seconds(60))
        evaluate(after: .seconds(30))
        #expect(fixture.leases.map(\.end) == [fixture.moment + .seconds(60)])
        report(isNear: false, after: .seconds(1))
        #expect(fixture.leases.map(\.end) == [fixture.moment + .seconds(60)])
        #expect(fixture.leases.map(\.id) == [lease.id])
    }

    @Test func `somebody who arrives switches a sleeping display on, and is activity`() {
        let sleep = LeaseRequest(.sleep, lifespan: .lifetime, holder: "idle")
        fixture.displays.submit(Command(.grant(sleep)), to: .left, at: fixture.moment) { _ in }
        #expect(!fixture.panel.isOn)
        let activity = fixture.hub.source.listen(to: NotificationFilter([.activity])) {}
        report(isNear: true, after: .seconds(1))
        #expect(fixture.panel.isOn)
        #expect(fixture.state.cause.kind == .presence)
        // The sleep is for its own holder to end.
        #expect(fixture.leases.map(\.holder) == ["idle", "presence"])
        #expect(activity.drain() == [.activity])
        evaluate(after: .seconds(40))
        #expect(activity.drain().isEmpty)
    }

    @Test func `a schedule that begins as somebody arrives shows nothing in between`() throws {
        let fixture = try HolderFixture()
        fixture.wall.withLock { $0 = "2026-11-21T11:58" }
        let rules = IdleRules(dim: .init(after: .seconds(60), brightness: .at(0.1)), sleepAfter: nil)
        let day = Schedule.of("12:00", "20:00", name: "day", .baseline(.at(0.6)))
        let presence = Presence(wakingFor: .seconds(60))
        let service = fixture.service(fixture.schedules(day), presence, Idle(rules, at: .start))
        fixture.clock.advance(by: .seconds(60))
        service.evaluate()
        fixture.wall.withLock { $0 = "2026-11-21T12:00" }
        fixture.hub.poster.post(.presence(isNear: true))
        service.evaluate()
        service.evaluate()
        #expect(fixture.panel.writes == [10, 60])
    }

    @Test func `a person who presses Off has priority while somebody stays near`() throws {
        report(isNear: true)
        try fixture.client(.setPower(false))
        evaluate(after: .seconds(40))
        #expect(!fixture.panel.isOn)
    }

    /// The ways in which somebody may want a lit panel to be off.
    enum Off: CaseIterable {
        case request, preset, key, otherProgram, endOfWake

        func happen(on fixture: HolderFixture) throws {
            switch self {
            case .request: try fixture.client(.setPower(false))
            case .preset: try fixture.client(.apply(PresetRequest(.value(PresetValue(brightness: nil, isOn: false)!))))
            case .key: turnOff(fixture, as: .hotkey)
            case .otherProgram: turnOff(fixture, as: .external)
            case .endOfWake:
                // A sleep of somebody else has waited for the end of the wake.
                try fixture.client(.grant(LeaseRequest(.sleep, ttl: .seconds(3_600), holder: "night")))
                try fixture.client(.release(#require(fixture.leases.first { $0.kind == .wake }).id))
            }
        }

        private func turnOff(_ fixture: HolderFixture, as cause: Cause.Kind) {
            fixture.panel.isOn = false
            fixture.displays.submit(Command(.refresh(as: cause)), to: .left, at: fixture.moment) { _ in }
        }
    }

    /// Also if the wake ends while the display is unplugged.
    @Test(arguments: Off.allCases, [true, false])
    func `Off has priority until the next arrival`(_ off: Off, comesAndGoes: Bool) throws {
        let fixture = try HolderFixture(comesAndGoes: comesAndGoes)
        let service = fixture.service(Presence(wakingFor: .seconds(60)))
        fixture.pass(.zero, service, isNear: true)
        fixture.pass(.seconds(30), service)
        // After the last renewal.
        fixture.clock.advance(by: .seconds(1))
        try off.happen(on: fixture)
        #expect(!fixture.panel.isOn)
        fixture.unplug()
        for _ in 1...5 { fixture.pass(.seconds(25), service) }
        fixture.panel.heal()
        // It is lit when it has power.
        fixture.panel.isOn = true
        for _ in 1...5 {
            fixture.pass(.seconds(25), service)
            #expect(!fixture.panel.isOn)
        }
        fixture.pass(.seconds(1), service, isNear: false)
        fixture.pass(.seconds(61), service, isNear: true)
        #expect(fixture.panel.isOn)
    }

    @Test(arguments: [true, false])
    func `a wake that is over on an unplugged display is granted again`(comesAndGoes: Bool) throws {
        let fixture = try HolderFixture(comesAndGoes: comesAndGoes)
        let service = fixture.service(Presence(wakingFor: .seconds(60)))
        try fixture.client(.grant(LeaseRequest(.sleep, ttl: .seconds(3_600), holder: "night")))
        fixture.pass(.zero, service, isNear: true)
        fixture.unplug()
        for _ in 1...5 { fixture.pass(.seconds(25), service) }
        fixture.panel.heal()
        fixture.panel.isOn = false
        fixture.pass(.seconds(1), service)
        #expect(fixture.panel.isOn)
    }

    @Test func `a wake that a faulty display has refused is not granted after Off`() throws {
        try fixture.client(.setPower(false))
        fixture.panel.failSwitches(.io(path: "/test", errno: 5))
        fixture.pass(.seconds(1), service, isNear: true)
        #expect(fixture.leases.isEmpty)
        fixture.clock.advance(by: .seconds(1))
        try fixture.client(.setPower(false))
        for _ in 1...4 { fixture.pass(.seconds(25), service) }
        #expect(fixture.leases.isEmpty)
        #expect(!fixture.panel.isOn)
    }

    @Test func `a wake that a person has ended is granted again at the next arrival only`() throws {
        report(isNear: true)
        try fixture.client(.setPower(false))
        try fixture.client(.restoreAll())
        for _ in 1...2 {
            evaluate(after: .seconds(40))
            #expect(fixture.leases.isEmpty)
            #expect(!fixture.panel.isOn)
        }
        report(isNear: false, after: .seconds(1))
        report(isNear: true, after: .seconds(60))
        #expect(fixture.leases.map(\.holder) == ["presence"])
        #expect(fixture.panel.isOn)
    }
}

extension HolderFixture {
    /// Lets time pass for the display and what changes it.
    ///
    /// - Parameter isNear: What the sensor reports then; `nil` for nothing.
    fileprivate func pass(_ time: Duration, _ service: HolderService, isNear: Bool? = nil) {
        clock.advance(by: time)
        if let isNear { hub.poster.post(.presence(isNear: isNear)) }
        displays.tick(at: moment)
        refresh()
        service.evaluate()
    }

    fileprivate func unplug() {
        panel.failReads(.absent(path: "/test"), times: .max)
        panel.failWrites(.absent(path: "/test"), times: .max)
        panel.failSwitches(.absent(path: "/test"), times: .max)
    }
}
