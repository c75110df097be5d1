// SPDX-License-Identifier: Apache-2.0
import TestSupport

@testable import BrightnessCore
@testable import Journal

/// A history in memory under a clock that the test moves. One display, `a`, unless a test names another.
final class HistoryFixture {
    static let display = DisplayID("a")!

    let database: SQLiteConnection
    var journal: JournalTables
    var memory: HistoryMemory
    private(set) var leases: [DisplayID: [Lease]] = [:]
    /// When the machine was started.
    var origin = Moment.start.instant
    var now: Moment
    private var revision: UInt64 = 0

    init(at now: Moment = .start) throws {
        self.now = now
        database = try SQLiteConnection(path: ":memory:")
        journal = try JournalTables(database, Self.clock)
        memory = HistoryMemory(begin: now)
    }

    private static let clock = BootClock(boot: "", origin: Moment.start.instant)

    func pass(_ duration: Duration) { now = now + duration }

    /// Moves only the wall clock.
    func jump(_ duration: Duration) { now = Moment(instant: now.instant, wall: now.wall + duration) }

    // MARK: Events

    func show(
        _ fraction: Double,
        baseline: Double? = nil,
        _ kind: Cause.Kind = .api,
        by: String? = nil,
        isAvailable: Bool = true,
        isOn: Bool = true,
        on display: DisplayID = display
    ) {
        let baseline = baseline ?? fraction
        record([.state(state(fraction, baseline: baseline, kind, by: by, isAvailable, display, isOn: isOn))])
    }

    func state(
        _ fraction: Double,
        baseline: Double,
        _ kind: Cause.Kind,
        by: String?,
        _ isAvailable: Bool = true,
        _ display: DisplayID = display,
        isOn: Bool = true
    ) -> DisplayState {
        revision += 1
        let count = leases[display]?.count ?? 0
        return DisplayState(
            id: display,
            name: "Display",
            kind: .simulated,
            range: BrightnessRange(maximum: 1_000)!,
            brightness: Brightness(clamping: fraction),
            baseline: Brightness(clamping: baseline),
            step: 0,
            power: DisplayState.Power(isOn: isOn, baseline: isOn, isSwitchable: true),
            leases: count == 0
                ? [:] : [.boost: .init(brightness: .full, count: count, until: nil, isOverridden: false)],
            automatic: .off,
            unavailable: isAvailable ? nil : Unavailability(since: now.wall),
            cause: Cause(kind, by: by, at: now.wall),
            revision: Revision(revision)
        )
    }

    func record(_ notifications: [Notification], _ content: DrainedContent = .whole) {
        memory.record(notifications, content, leases: { self.leases[$0] }, at: now)
    }

    func lease(_ id: String, by holder: String? = nil, reason: String? = nil, for ttl: Duration = .seconds(300))
        -> Lease
    {
        Lease(
            id: LeaseID(id),
            display: Self.display,
            holder: holder,
            grantedAt: now.wall,
            brightness: .full,
            reason: reason,
            lifespan: .custom,
            end: now + ttl
        )
    }

    /// Posts the lease event and the state after it.
    func grant(_ lease: Lease) {
        keep(lease)
        let state = state(1, baseline: 0.5, .boost, by: lease.holder)
        record([.lease(LeaseEvent(lease, .granted), at: state.revision), .state(state)])
    }

    /// Adds a display that continues with its leases after a crash: the hub posts them as if they were new.
    func goOn() {
        let state = state(1, baseline: 0.5, .recovered, by: nil)
        record(
            (leases[Self.display] ?? []).map { .lease(LeaseEvent($0, .granted), at: state.revision) } + [
                .state(state)
            ]
        )
    }

    func end(_ lease: Lease, _ change: LeaseChange = .released) {
        lose(lease)
        let state = state(0.5, baseline: 0.5, .restore, by: lease.holder)
        record([.lease(LeaseEvent(lease, change), at: state.revision), .state(state)])
    }

    /// Withdraws the display.
    func forget() { leases[Self.display] = nil }

    /// Grants a lease without a notification.
    func keep(_ lease: Lease) { leases[lease.display, default: []].append(lease) }

    /// Ends a lease without a notification.
    func lose(_ lease: Lease) { leases[lease.display]?.removeAll { $0.id == lease.id } }

    // MARK: Contents

    func commit() throws { try journal.history.write(&memory, at: now) }

    /// Kills the daemon and starts it again, after a restart of the machine if the boot differs.
    func crash(in boot: String = clock.boot) throws {
        journal = try JournalTables(database, BootClock(boot: boot, origin: origin))
        try journal.begin(in: boot, [:])
        memory = HistoryMemory(begin: now)
    }

    func stop() throws {
        memory.end(at: now)
        try commit()
    }

    /// - Parameters: Both times relative to now; the step in seconds.
    func read(from: Duration = .seconds(-3_600), to: Duration = .zero, step: Int? = nil) throws -> History {
        let query = try HistoryQuery(Self.display, from: now.wall + from, to: now.wall + to, step: step)
        return try journal.history.read(query, with: &memory, at: now)
    }

    /// Returns the newest changes of all displays, the newest first.
    func changes(_ query: ChangesQuery = ChangesQuery(nil)) throws -> [DisplayChange] {
        try journal.history.read(query, with: &memory, at: now)
    }

    /// Returns the current state.
    func current() throws -> Double? { try read(from: .seconds(-1), step: 1).points.last?.brightness?.fraction }

    /// Returns the dates of the samples in the database.
    func dates() throws -> [Int64] {
        var dates: [Int64] = []
        try database.prepare("SELECT at FROM sample WHERE display = 'a' ORDER BY at").run {
            dates.append($0.integer(0)!)
        }
        return dates
    }
}

extension History {
    var fractions: [Double?] { points.map { $0.brightness?.fraction } }
}
