// SPDX-License-Identifier: Apache-2.0
import BrightnessCore

/// The unwritten changes of all displays, the oldest first.
///
/// Changes by automatic brightness less than a minute apart are one change, and so are those by one client for one
/// reason less than a second apart, such as those of a slider.
struct ChangeTrack: Sendable {
    /// The number of changes that stay, in memory and in the database.
    static let limit = 10_000

    /// How many seconds before the recorder the daemon, and so a display's first state, may begin.
    private static let longestStart = 60

    private struct Entry {
        let at: Moment
        var change: DisplayChange
    }

    /// The newest state of a display, with its number of leases of each kind.
    private struct Known {
        let shown: DisplayChange.Shown
        let leases: [Int]
        /// The index of the display's newest change, counted from the first of this run.
        var index: Int?
    }

    private var unwritten: [Entry] = []
    /// The number of changes before the first unwritten one.
    private var passed = 0
    private var known: [DisplayID: Known] = [:]

    var isWritten: Bool { unwritten.isEmpty }

    /// Adds a state, if the display shows something else than before.
    ///
    /// - Parameters:
    ///   - moment: When the change happened.
    ///   - begin: The start of the recorder. The first state of a display counts as a change unless it is older, as
    ///     that of another machine's display may be.
    mutating func record(_ state: DisplayState, at moment: Moment, since begin: Timestamp) {
        let (cause, shown) = (state.latestCause, DisplayChange.Shown(state))
        let leases = LeaseKind.allCases.map { state.leases(of: $0)?.count ?? 0 }
        let before = known[state.id]
        known[state.id] = Known(shown: shown, leases: leases, index: before?.index)
        if before == nil, cause.at < begin + .seconds(-Self.longestStart) { return }
        let lease = before.flatMap { Self.affectedLease(from: $0.leases, to: leases) }
        if before?.shown == shown, lease == nil { return }
        let change = DisplayChange(state.id, shown, before: before?.shown, lease: lease, cause: cause)
        if let index = before?.index, index >= passed, merge(change, into: index - passed, at: moment) { return }
        known[state.id]?.index = passed + unwritten.count
        unwritten.append(Entry(at: moment, change: change))
        if unwritten.count > Self.limit { drop(Self.limit / 10) }
    }

    private mutating func merge(_ change: DisplayChange, into index: Int, at moment: Moment) -> Bool {
        let (entry, earlier) = (unwritten[index], unwritten[index].change)
        let span: Duration = change.cause.kind == .auto ? .seconds(60) : .seconds(1)
        let isOn = earlier.shown.isOn
        let switches = isOn != change.shown.isOn || isOn != (earlier.before?.isOn ?? isOn)
        guard earlier.lease == nil, change.lease == nil, !switches, moment.instant - entry.at.instant < span,
            earlier.cause.kind == change.cause.kind, earlier.cause.by == change.cause.by,
            earlier.cause.principal == change.cause.principal, earlier.cause.reason == change.cause.reason,
            earlier.shown.isAvailable == change.shown.isAvailable
        else { return false }
        unwritten[index].change.shown = change.shown
        return true
    }

    /// The first kind whose number of leases differs.
    private static func affectedLease(from old: [Int], to new: [Int]) -> DisplayChange.AffectedLease? {
        for (index, kind) in LeaseKind.allCases.enumerated() where old[index] != new[index] {
            return DisplayChange.AffectedLease(kind, hasEnded: new[index] < old[index])
        }
        return nil
    }

    mutating func forget(_ display: DisplayID) { known[display] = nil }

    mutating func markWritten() { drop(unwritten.count) }

    private mutating func drop(_ count: Int) {
        unwritten.removeFirst(count)
        passed += count
    }

    /// Returns the unwritten changes, dated by the current clock.
    func dated(at now: Moment) -> some BidirectionalCollection<DisplayChange> {
        unwritten.lazy.map { $0.change.dated($0.at.corrected(at: now).wall) }
    }
}

extension DisplayChange {
    fileprivate func dated(_ at: Timestamp) -> DisplayChange {
        let dated = Cause(cause.kind, by: cause.by, principal: cause.principal, reason: cause.reason, at: at)
        return DisplayChange(display, shown, before: before, lease: lease, cause: dated)
    }
}
