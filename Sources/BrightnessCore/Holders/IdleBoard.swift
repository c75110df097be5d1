// SPDX-License-Identifier: Apache-2.0

/// What happens to displays while nobody uses the machine.
package struct IdleRules: Hashable, Sendable {
    package struct Dim: Hashable, Sendable {
        package let after: Duration
        package let brightness: Brightness

        package init(after: Duration, brightness: Brightness) {
            self.after = after
            self.brightness = brightness
        }
    }

    /// `nil`: displays are not dimmed.
    package let dim: Dim?
    /// `nil`: displays are not switched off.
    package let sleepAfter: Duration?

    package init(dim: Dim? = nil, sleepAfter: Duration? = nil) {
        self.dim = dim
        self.sleepAfter = sleepAfter
    }

    package var isEmpty: Bool { dim == nil && sleepAfter == nil }
}

/// Which displays the holder `idle` dims and switches off. Has no clock, display or lock.
///
/// - Activity ends every lease of `idle` at once, on all displays.
/// - On a display with a boost or a wake in force `idle` holds nothing.
/// - A lease is granted once between two activities: a person who changes the display, or ends the lease, wins until
///   then.
struct IdleBoard: Sendable {
    /// A display of this machine.
    struct Display: Hashable, Sendable {
        let id: DisplayID
        /// `false` while it is unplugged: nothing is granted.
        var isPresent = true
        var isSwitchable = false
        /// Whether a boost or a wake is in force.
        var isInUse = false
    }

    enum Action: Hashable, Sendable {
        case grant(LeaseKind, on: DisplayID)
        case end(on: DisplayID)
    }

    private let rules: IdleRules
    private var lastActivity: Instant
    /// The leases that were granted since the last activity.
    private var granted: [DisplayID: Set<LeaseKind>] = [:]
    /// The displays whose leases the last activity ends.
    private var ending: Set<DisplayID> = []

    /// - Parameter start: When the daemon was started, which counts as activity.
    init(_ rules: IdleRules, at start: Instant) {
        self.rules = rules
        lastActivity = start
    }

    /// Notes activity. The next `evaluate` ends the leases.
    mutating func take(activityAt instant: Instant) {
        guard instant > lastActivity else { return }
        lastActivity = instant
        ending.formUnion(granted.keys)
        granted = [:]
    }

    /// Lets a lease be granted again at the next `evaluate`: the display refused it.
    mutating func forget(_ kind: LeaseKind, on display: DisplayID) {
        granted[display]?.remove(kind)
        if granted[display]?.isEmpty == true { granted[display] = nil }
    }

    /// Returns what has to be done now, and notes it as done.
    ///
    /// - Parameter displays: The displays of this machine, also unplugged ones.
    mutating func evaluate(at now: Instant, displays: [Display]) -> [Action] {
        var actions: [Action] = []
        let known = Set(displays.map(\.id))
        for id in granted.keys where !known.contains(id) { granted[id] = nil }
        ending.formIntersection(known)
        for display in displays {
            let due = display.isInUse ? [] : kinds(dueAt: now)
            let isOver = due.isEmpty && granted.removeValue(forKey: display.id) != nil
            if ending.remove(display.id) != nil || isOver { actions.append(.end(on: display.id)) }
            for kind in due where display.isPresent && (kind != .sleep || display.isSwitchable) {
                if granted[display.id, default: []].insert(kind).inserted {
                    actions.append(.grant(kind, on: display.id))
                }
            }
        }
        return actions
    }

    /// The next time at which a lease is due, without activity until then.
    func nextDeadline(after now: Instant) -> Instant? {
        [rules.dim?.after, rules.sleepAfter].compactMap { $0.map { lastActivity + $0 } }.filter { $0 > now }.min()
    }

    private func kinds(dueAt now: Instant) -> [LeaseKind] {
        func isDue(_ limit: Duration?) -> Bool { limit.map { lastActivity + $0 <= now } ?? false }
        return (isDue(rules.dim?.after) ? [.dim] : []) + (isDue(rules.sleepAfter) ? [.sleep] : [])
    }
}
