// SPDX-License-Identifier: Apache-2.0

/// The rules for displays while nobody uses the machine.
package struct IdleRules: Hashable, Sendable {
    package struct Dim: Hashable, Sendable {
        let after: Duration
        let brightness: Brightness

        package init(after: Duration, brightness: Brightness) {
            self.after = after
            self.brightness = brightness
        }
    }

    /// `nil`: displays are not dimmed.
    let dim: Dim?
    /// `nil`: displays are not switched off.
    let sleepAfter: Duration?

    package init(dim: Dim? = nil, sleepAfter: Duration? = nil) {
        self.dim = dim
        self.sleepAfter = sleepAfter
    }

    package var isEmpty: Bool { dim == nil && sleepAfter == nil }
}

/// Dims displays, and switches them off, while nobody uses the machine.
///
/// - Activity ends every lease of `idle` at once, on all displays. So does the end of a suspend: somebody wakes a
///   machine.
/// - On a display with a boost or a wake in force `idle` holds nothing. Its leases return afterwards, except those that
///   a person had ended or overridden before.
package struct Idle: Holder {
    package static let kinds: Set<Notification.Kind> = [.activity, .resumed, .state]

    private let rules: IdleRules
    private var lastActivity: Moment

    /// - Parameter start: When the daemon was started, which counts as activity.
    package init(_ rules: IdleRules, at start: Moment) {
        self.rules = rules
        lastActivity = start
    }

    package mutating func receive(_ notification: Notification, at now: Moment) {
        if notification == .activity || notification == .resumed { lastActivity = now }
    }

    package mutating func evaluate(_ situation: Situation) -> Wanted {
        let now = situation.now.instant
        let dim = rules.dim.map { (due: lastActivity.instant + $0.after, brightness: $0.brightness) }
        let sleepDue = rules.sleepAfter.map { lastActivity.instant + $0 }
        var wanted = Wanted()
        for display in situation.displays {
            if let dim, dim.due <= now, display.isDimmable {
                wanted.wishes.append(wish(.lease(.dim, dim.brightness), on: display))
            }
            if let sleepDue, sleepDue <= now, display.isSwitchable {
                wanted.wishes.append(wish(.lease(.sleep), on: display))
            }
        }
        wanted.next = [dim?.due, sleepDue].compactMap(\.self).filter { $0 > now }.min()
        return wanted
    }

    private func wish(_ effect: Wish.Effect, on display: Situation.Display) -> Wish {
        Wish(
            holder: ReservedHolder.idle,
            display: display.id,
            effect: effect,
            episode: lastActivity.wall,
            channel: .idle,
            isSuspended: display.isInUse
        )
    }
}

extension Command {
    package static var endOfIdle: Command {
        Command(.restore(holder: ReservedHolder.idle), by: ReservedHolder.idle, channel: .idle)
    }
}
