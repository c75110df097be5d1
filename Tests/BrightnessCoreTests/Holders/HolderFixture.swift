// SPDX-License-Identifier: Apache-2.0
import Synchronization
import TestSupport

@testable import BrightnessCore

/// A switchable display at 80 %, and holders on clocks that the test sets.
final class HolderFixture: Sendable {
    let hub = NotificationHub(health: Health())
    let panel = ScriptedPanel(.left, range: BrightnessRange(maximum: 100)!, step: 80, isSwitchable: true)
    let displays: DisplayService
    let clock = ManualClock()
    /// The wall clock, as in `2026-11-21T12:00`; `nil` follows `clock`.
    let wall = Mutex<String?>(nil)
    let isClockSet = Mutex(true)
    /// How long the machine has slept.
    let slept = Mutex(Duration.zero)
    let stored = Mutex<[ResourceName: ScheduleRecord?]>([:])
    /// The stored place, if one was stored or removed.
    let place = Mutex<Location??>(nil)

    init(on queue: any JobQueue = ImmediateQueue(), comesAndGoes: Bool = false) throws {
        displays = try DisplayService(
            [.init(panel, on: queue, comesAndGoes: comesAndGoes)],
            poster: hub.poster,
            source: hub.source,
            at: clock.moment
        )
    }

    func service(
        _ holders: any Holder...,
        on queue: any JobQueue = ImmediateQueue(),
        submit: DisplayService.Submission? = nil
    ) -> HolderService {
        let resumes = ResumeDetector(poster: hub.poster) { [self] in slept.withLock { $0 } }
        return HolderService(
            displays,
            holders,
            journal: self,
            on: queue,
            source: hub.source,
            poster: hub.poster,
            clock: .init(
                now: { [self] in moment },
                isSet: { [self] _ in isClockSet.withLock { $0 } },
                noticeSleep: { resumes.check() }
            ),
            submit: submit
        )
    }

    /// Schedules of an earlier run, in UTC.
    func schedules(_ all: Schedule...) -> Schedules {
        Schedules(SchedulePlanner(FakeZone.utc), all.map { ScheduleRecord(schedule: $0) })
    }

    var moment: Moment {
        guard let text = wall.withLock({ $0 }) else { return clock.moment }
        return Moment(instant: clock.now, wall: Timestamp(milliseconds: at(text) * 1_000))
    }

    var state: DisplayState { displays.state(of: .left)! }

    var leases: [Lease] { displays.leases(of: .left)?.all ?? [] }

    func refresh() { displays.submit(Command(.refresh()), to: .left, at: moment) { _ in } }

    /// Submits a client's command and returns the state in its answer.
    @discardableResult
    func client(_ action: Command.Action) throws -> DisplayState {
        let answer = Mutex<Result<CommandSuccess, CommandError>?>(nil)
        let command = Command(action, requester: Requester(.anonymous, isAdmin: true))
        displays.submit(command, to: .left, at: moment) { result in answer.withLock { $0 = result } }
        return try answer.withLock { $0 }!.get().state
    }
}

extension HolderFixture: RecordJournal {
    func store(_ document: [UInt8]?, _ key: RecordKey, completion: @escaping @Sendable () -> Void) {
        if key.kind == Location.kind {
            place.withLock { $0 = .some(document.flatMap { Location(kept: $0, under: key.name) }) }
        } else {
            let record = document.flatMap { ScheduleRecord(kept: $0, under: key.name) }
            stored.withLock { $0[ResourceName(key.name)!] = .some(record) }
        }
        completion()
    }
}
