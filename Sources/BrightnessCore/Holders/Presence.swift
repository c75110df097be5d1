// SPDX-License-Identifier: Apache-2.0

/// Keeps displays on while somebody is near, and for a time afterwards.
///
/// Its wake has a time limit, which is extended when half of it is over: a crash of the daemon cannot keep a display on
/// for longer. A wake that a person has ended is not granted again before the next arrival.
package struct Presence: Holder {
    package static let kinds: Set<Notification.Kind> = [.presence]

    private let time: Duration
    private var isNear = false
    /// The arrival; somebody who leaves and returns during the wake has not arrived again.
    private var arrival: Timestamp?
    private var end: Instant?

    /// - Parameter time: How long the wake lasts after somebody was near.
    package init(wakingFor time: Duration) { self.time = time }

    /// An arrival and a departure count at once.
    package mutating func receive(_ notification: Notification, at now: Moment) {
        guard case .presence(let isNear) = notification else { return }
        if isNear || self.isNear { extend(at: now) }
        self.isNear = isNear
    }

    package mutating func evaluate(_ situation: Situation) -> Wanted {
        let now = situation.now
        if isNear, end.map({ $0 <= now.instant + time / 2 }) ?? true { extend(at: now) }
        guard let arrival, let end, end > now.instant else { return Wanted() }
        let wishes = situation.displays.map { display in
            Wish(
                holder: ReservedHolder.presence,
                display: display.id,
                effect: .lease(.wake, until: end),
                episode: arrival,
                channel: .presence
            )
        }
        return Wanted(wishes: wishes, next: isNear ? end - time / 2 : end)
    }

    private mutating func extend(at now: Moment) {
        if end.map({ $0 <= now.instant }) ?? true { arrival = now.wall }
        end = now.instant + time
    }
}
