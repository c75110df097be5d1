// SPDX-License-Identifier: Apache-2.0

/// The reason why a display is unavailable, and the time of the next try: after 1 s, 2 s, 4 s … at most 30 s.
struct PanelFault: Sendable {
    enum Kind: Sendable {
        /// The panel cannot be read: unplugged or asleep. It is written when it is back.
        case gone
        /// The panel can be read, and has rejected the pending write or is not written yet since it was gone.
        case refusing
    }

    private(set) var kind: Kind
    private(set) var retry: Instant
    /// Whether the step, or the power, of a panel that is gone was not there at the last read: what is read next is not
    /// a person's change. Of a pair, one of them may be there.
    private(set) var hidesStep: Bool
    private(set) var hidesPower: Bool
    /// The cause of the fault's beginning: the panel was lost, or another program switched it off.
    let cause: Cause.Kind
    private let delay: Duration
    private var begin: Moment
    private let isFirst: Bool
    private let isAbandoned: Bool

    /// - Parameters:
    ///   - isFirst: Whether nobody observed the panel before.
    ///   - isAbandoned: Whether the panel waits for the client that provides it.
    ///   - begin: When an earlier run noticed the fault; `nil` for none.
    init(
        _ kind: Kind,
        by cause: Cause.Kind,
        after earlier: PanelFault?,
        isFirst: Bool,
        isAbandoned: Bool = false,
        since begin: Timestamp? = nil,
        at now: Moment
    ) {
        self.kind = kind
        self.cause = cause
        self.isAbandoned = isAbandoned
        delay = earlier.map { min($0.delay * 2, .seconds(30)) } ?? .seconds(1)
        retry = now.instant + delay
        let gone = earlier.flatMap { $0.kind == .gone ? $0 : nil }
        hidesStep = gone?.hidesStep ?? (kind == .gone)
        hidesPower = gone?.hidesPower ?? (kind == .gone)
        self.begin = earlier?.begin ?? begin.map { now.moment(of: $0) } ?? now
        self.isFirst = earlier?.isFirst ?? isFirst
    }

    var unavailability: Unavailability {
        Unavailability(since: begin.wall, isAtLatest: isFirst, isAbandoned: isAbandoned)
    }

    /// Corrects the date of the beginning after the wall clock was set.
    mutating func correctWallTime(at now: Moment) { begin = begin.corrected(at: now) }

    /// Delays the next try: the panel was switched on, and answers later.
    mutating func wait(until instant: Instant) { retry = max(retry, instant) }

    /// Reports what the devices of a pair that is gone did not show.
    mutating func hides(step: Bool, power: Bool) { (hidesStep, hidesPower) = (step, power) }

    /// Reports that the panel can be read again: the pending write is due now.
    mutating func returned(at now: Instant) {
        kind = .refusing
        hides(step: false, power: false)
        retry = now
    }
}
