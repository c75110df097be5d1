// SPDX-License-Identifier: Apache-2.0

/// The rules of something that changes displays by itself, such as schedules. Has no clock, display or lock.
///
/// `HolderService` keeps the displays at what all holders want. A new holder is one file with its
/// rules, a line where the service is created, and its name, cause and words; CONTRIBUTING.md lists them.
package protocol Holder: Sendable {
    /// The kinds of notifications that it receives, apart from displays that come and go.
    static var kinds: Set<Notification.Kind> { get }

    mutating func receive(_ notification: Notification, at now: Moment)

    /// Returns what it wants now. A second evaluation at the same time returns the same.
    mutating func evaluate(_ situation: Situation) -> Wanted
}

/// The state that every holder may know.
package struct Situation: Sendable {
    /// A display of this machine.
    struct Display: Hashable, Sendable {
        let id: DisplayID
        /// `false` while it is unplugged.
        var isPresent = true
        /// `false` while it cannot be read or written.
        var isAvailable = true
        var isDimmable = true
        var isSwitchable = false
        /// Whether a boost or a wake is in force.
        var isInUse = false
        var baseline = Brightness.full
        /// When the baseline last became another one, and when somebody or a schedule last set it; `nil` if not in this
        /// run.
        var changedAt: Moment?
        var setAt: Instant?
    }

    let now: Moment
    /// Whether the wall clock can be trusted.
    let isClockSet: Bool
    /// The displays of this machine. Holders want leases for unplugged ones, too.
    let displays: [Display]
}

/// The leases and baselines that a holder wants, and when it has to be evaluated again.
package struct Wanted: Sendable {
    var wishes: [Wish] = []
    /// When to evaluate again without a notification; `nil` for never.
    var next: Instant?
    /// The notifications to post. One that is published already is not posted again.
    var notifications: [Notification] = []
    /// The records to store.
    var records: [any KeptRecord & Sendable] = []
}

/// A lease or a baseline that a holder wants on one display.
struct Wish: Hashable, Sendable {
    enum Effect: Hashable, Sendable {
        /// - Parameter until: When the lease ends by itself; `nil` if the holder ends it.
        case lease(LeaseKind, Brightness? = nil, until: Instant? = nil)
        /// Set once, and left to people afterwards; `nil` once it is set.
        case baseline(Brightness?)
    }

    let holder: String
    let display: DisplayID
    var effect: Effect
    /// When its episode began: with an interval, with the last activity, with an arrival. It is carried out once an
    /// episode, so a person who changes the display, or ends the lease, has priority until the next one.
    let episode: Timestamp
    /// The duration of the changes at both ends; `nil` for the default.
    var transition: Duration?
    /// The reported origin of the changes.
    let channel: Cause.Kind
    /// A baseline is not set if somebody has set another one after this time; `nil` for when it was first carried out.
    var since: Instant?
    /// Whether the display must not have the lease now. It is granted again in this episode if no person had ended or
    /// overridden it before.
    var isSuspended = false

    /// `nil` for a baseline.
    var kind: LeaseKind? { if case .lease(let kind, _, _) = effect { kind } else { nil } }

    var setsBaseline: Bool { if case .baseline(_?) = effect { true } else { false } }

    /// When its lease ends by itself; `nil` if the holder ends it.
    var leaseEnd: Instant? { if case .lease(_, _, let end) = effect { end } else { nil } }

    func isOver(at now: Instant) -> Bool { leaseEnd.map { $0 <= now } ?? false }

    /// Whether it differs at most in the end of its lease.
    func isSame(as other: Wish) -> Bool { withoutEnd == other.withoutEnd }

    private var withoutEnd: Wish {
        guard case .lease(let kind, let brightness, _?) = effect else { return self }
        var wish = self
        wish.effect = .lease(kind, brightness)
        return wish
    }

    /// The command that grants or renews the lease, or sets the baseline; `nil` if there is nothing to set.
    func command(at now: Instant) -> Command? {
        switch effect {
        case .baseline(nil): nil
        case .baseline(let brightness?): command(.set(.fraction(brightness)))
        case .lease(let kind, let brightness, let end):
            // Without an end of its own it ends with the daemon: the next start takes it again, or ends it.
            command(
                .grant(
                    LeaseRequest(
                        kind,
                        at: brightness.map { .fraction($0) },
                        lifespan: end == nil ? .lifetime : .custom,
                        ttl: end.map { $0 - now },
                        holder: holder
                    )
                )
            )
        }
    }

    var endCommand: Command { command(.restore(holder: holder, kind: kind)) }

    private func command(_ action: Command.Action) -> Command {
        Command(action, by: holder, transition: transition, channel: channel)
    }
}
