// SPDX-License-Identifier: Apache-2.0
import Synchronization
import TestSupport
import Testing

@testable import BrightnessCore

/// A display, its schedules, and a clock that the test sets.
private final class Fixture: Sendable {
    let hub = NotificationHub(health: Health())
    let panel: ScriptedPanel
    let displays: DisplayService
    let clock = Mutex((instant: Instant(sinceBoot: .seconds(100)), wall: "2026-11-21T12:00", isSet: true))
    let stored = Mutex<[ScheduleName: ScheduleRecord?]>([:])

    init(_ id: DisplayID = .left) throws {
        panel = ScriptedPanel(id, range: BrightnessRange(maximum: 100)!, step: 80)
        displays = try DisplayService(
            [.init(panel, on: ImmediateQueue())],
            poster: hub.poster,
            source: hub.source,
            at: Moment(instant: Instant(sinceBoot: .seconds(100)), wall: Timestamp(milliseconds: 0))
        )
    }

    var moment: Moment {
        clock.withLock { Moment(instant: $0.instant, wall: Timestamp(milliseconds: at($0.wall) * 1_000)) }
    }

    func service(_ records: [ScheduleRecord] = [], on queue: any JobQueue = ImmediateQueue()) -> ScheduleService {
        ScheduleService(
            displays,
            SchedulePlanner(FakeZone.utc),
            records,
            journal: self,
            on: queue,
            source: hub.source,
            poster: hub.poster,
            clock: .init(now: { self.moment }, isSet: { _ in self.clock.withLock { $0.isSet } })
        )
    }

    var state: DisplayState? { displays.state(of: panel.id) }

    var leases: [Lease] { displays.leases(of: panel.id)?.all ?? [] }
}

extension Fixture: ScheduleJournal {
    func keep(_ name: ScheduleName, _ record: ScheduleRecord?, completion: @escaping @Sendable () -> Void) {
        stored.withLock { $0[name] = .some(record) }
        completion()
    }
}

struct ScheduleServiceTests {
    private let noon = Schedule.of("11:00", "13:00", name: "noon")

    private func put(_ schedule: Schedule, _ service: ScheduleService) -> Result<Bool, ScheduleService.Failure>? {
        let result = Mutex<Result<Bool, ScheduleService.Failure>?>(nil)
        service.put(schedule) { answer in result.withLock { $0 = answer } }
        return result.withLock { $0 }
    }

    @Test func `a schedule that is put inside its interval is in force at once`() throws {
        let fixture = try Fixture()
        let service = fixture.service()
        #expect(put(noon, service) == .success(true))
        #expect(fixture.panel.step == 20)
        let lease = try #require(fixture.leases.first)
        #expect(lease.holder == "schedule:noon")
        #expect(lease.principal == .daemon)
        #expect(lease.end == nil)
        let cause = try #require(fixture.state?.cause)
        #expect(cause.kind == .schedule)
        #expect(cause.by == "schedule:noon")
        #expect(service.report.schedules.map(\.isActive) == [true])
        #expect(fixture.hub.source.retained(.schedules) == .schedules(service.report))
        #expect(put(noon, service) == .success(false))
        #expect(fixture.stored.withLock { $0 } == [noon.name: ScheduleRecord(noon)])
    }

    @Test func `a removed schedule restores the display and leaves the journal`() throws {
        let fixture = try Fixture()
        let service = fixture.service()
        _ = put(noon, service)
        service.remove(noon.name) { _ in }
        #expect(fixture.panel.step == 80)
        #expect(fixture.state?.cause.kind == .schedule)
        #expect(fixture.stored.withLock { $0 } == [noon.name: nil])
        #expect(service.report.schedules.isEmpty)
    }

    @Test func `schedules of an earlier run are in force from the start`() throws {
        let fixture = try Fixture()
        let service = fixture.service([ScheduleRecord(noon)])
        #expect(fixture.panel.step == 20)
        #expect(service.report.schedules.map(\.isActive) == [true])
    }

    @Test func `the schedules of an earlier run are reported before a job of the queue has run`() throws {
        let fixture = try Fixture()
        let service = fixture.service([ScheduleRecord(noon)], on: ManualQueue())
        #expect(service.report.schedules.map(\.schedule) == [noon])
        #expect(service.report.schedules.map(\.isActive) == [true])
    }

    @Test func `a lease that an earlier run left is ended if its schedule is not in force`() throws {
        let fixture = try Fixture()
        let left = LeaseRequest(.dim, brightness: .at(0.1), lifespan: .lifetime, holder: "schedule:old")
        fixture.displays.submit(Command(.grant(left)), to: .left, at: fixture.moment) { _ in }
        let kept = LeaseRequest(.dim, brightness: .at(0.3), lifespan: .lifetime, holder: "schedule:noon")
        fixture.displays.submit(Command(.grant(kept)), to: .left, at: fixture.moment) { _ in }
        _ = fixture.service([ScheduleRecord(noon)])
        #expect(fixture.leases.map(\.holder) == ["schedule:noon"])
        #expect(fixture.panel.step == 20)
    }

    @Test func `a lease that an earlier run left on a display that is plugged in later is ended, too`() throws {
        let fixture = try Fixture()
        let service = fixture.service([ScheduleRecord(noon)])
        let panel = ScriptedPanel(.right, range: BrightnessRange(maximum: 100)!, step: 80)
        try fixture.displays.add(.init(panel, on: ImmediateQueue()), at: fixture.moment)
        for schedule in [noon, Schedule.of("20:00", "21:00", name: "evening")] {
            let action = ScheduleBoard.Action.begin(schedule, on: .right)
            fixture.displays.submit(action.command, to: .right, at: fixture.moment) { _ in }
        }
        // Evaluates.
        _ = put(Schedule.of("22:00", "23:00", name: "night"), service)
        #expect(fixture.displays.leases(of: .right)?.all.map(\.holder) == ["schedule:noon"])
        #expect(fixture.leases.map(\.holder) == ["schedule:noon"])
    }

    @Test func `a display without power to switch is left alone by a sleep`() throws {
        let fixture = try Fixture()
        let service = fixture.service()
        #expect(put(.of("11:00", "13:00", name: "off", .lease(.sleep, nil)), service) == .success(true))
        #expect(fixture.leases.isEmpty)
    }

    @Test func `a schedule by the sun requires a place`() throws {
        let service = try Fixture().service()
        #expect(put(.of("sunset", "23:00"), service) == .failure(.noLocation))
    }

    @Test func `at most 64 schedules are kept`() throws {
        let service = try Fixture().service()
        for number in 0..<ScheduleService.limit {
            #expect(put(.of("01:00", "02:00", name: "rule-\(number)"), service) == .success(true))
        }
        #expect(put(noon, service) == .failure(.tooMany))
        #expect(put(.of("01:00", "03:00", name: "rule-7"), service) == .success(false))
    }

    @Test func `health waits for the clock and stays ready`() throws {
        let fixture = try Fixture()
        fixture.clock.withLock { $0.isSet = false }
        let service = fixture.service([ScheduleRecord(noon)])
        #expect(fixture.panel.step == 80)
        guard case .health(let health) = fixture.hub.source.retained(.health) else {
            Issue.record("there is no health")
            return
        }
        #expect(health.schedules == .waiting)
        #expect(health.isReady)
        #expect(!service.report.isClockSet)
    }
}
