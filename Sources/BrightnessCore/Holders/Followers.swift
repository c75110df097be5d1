// SPDX-License-Identifier: Apache-2.0

/// The displays that follow another one, so that one knob changes all.
///
/// A follower is set to the baseline of its leader, as a fraction, when that becomes another one for any reason. A
/// baseline that is set on the follower itself stays until the leader's has moved, up or down, by more than their
/// difference at that time:
///
/// | leader | follower is set to | leader is set to | follower |
/// | --- | --- | --- | --- |
/// | 50 % | 60 % | 55 %, then 40 % | 60 %, 60 % |
/// | 50 % | 60 % | 61 % | 61 % |
/// | 50 % | 60 % | 39 % | 39 % |
///
/// So what a preset sets on both at once stays on both. Leases and power are each display's own.
package struct Followers: Holder {
    package static let kinds: Set<Notification.Kind> = [.state]

    private var followers: [Follower]

    /// - Parameters:
    ///   - leaders: The leader of each follower. None of them is a follower.
    ///   - records: Those of an earlier run.
    package init(_ leaders: [DisplayID: DisplayID], _ records: [FollowerRecord] = []) {
        followers = leaders.sorted { $0.key.text < $1.key.text }.map { id, leader in
            Follower(id: id, leader: leader, record: records.first { $0.display == id && $0.leader == leader })
        }
    }

    package mutating func receive(_ notification: Notification, at now: Moment) {}

    package mutating func evaluate(_ situation: Situation) -> Wanted {
        var wanted = Wanted()
        let displays = Dictionary(situation.displays.lazy.filter(\.isDimmable).map { ($0.id, $0) }) { $1 }
        for index in followers.indices {
            guard let leader = displays[followers[index].leader] else { continue }
            let record = followers[index].record
            followers[index].update(leader, displays[followers[index].id], at: situation.now)
            let follower = followers[index]
            if let new = follower.record, new != record { wanted.records.append(new) }
            guard follower.origin == nil else { continue }
            wanted.wishes.append(
                Wish(
                    holder: leader.id.text,
                    display: follower.id,
                    effect: .baseline(leader.baseline),
                    episode: follower.movedAt.wall,
                    channel: .follow,
                    // A baseline that was set at the same moment stays, too.
                    since: follower.movedAt.instant - .nanoseconds(1)
                )
            )
        }
        return wanted
    }
}

private struct Follower: Sendable {
    let id: DisplayID
    let leader: DisplayID
    /// The stored record; `nil` without one.
    var record: FollowerRecord?
    /// The leader's baseline at the last evaluation, and when it became that.
    private var leaderBaseline: Brightness?
    private(set) var movedAt = Moment(instant: Instant(sinceBoot: .zero), wall: Timestamp(milliseconds: 0))
    /// When the follower itself was last set.
    private var setAt: Instant?
    /// The leader's baseline at that time; `nil` while the follower follows.
    private(set) var origin: Brightness?

    init(id: DisplayID, leader: DisplayID, record: FollowerRecord?) {
        (self.id, self.leader, self.record) = (id, leader, record)
    }

    /// - Parameter own: `nil` while it is unknown.
    mutating func update(_ leader: Situation.Display, _ own: Situation.Display?, at now: Moment) {
        let before = leaderBaseline ?? leader.baseline
        if leaderBaseline == nil {
            movedAt = now
            // A difference that an earlier run has left is a person's choice.
            if record?.isBehind == false { origin = before }
        }
        if leader.baseline != before { movedAt = leader.changedAt ?? now }
        leaderBaseline = leader.baseline
        guard let own else { return }
        if let newest = own.setAt, newest != setAt {
            setAt = newest
            let hasLeaderMovedSince = leader.changedAt.map { newest < $0.instant } ?? false
            origin = hasLeaderMovedSince ? before : leader.baseline
        }
        // The leader has moved by more than the difference: the follower follows again.
        if let start = origin, leader.baseline.distance(to: start) > own.baseline.distance(to: start) { origin = nil }
        // An available follower is set within milliseconds: not worth a record at each step of a slider.
        let isBehind = origin == nil && !own.isAvailable && own.baseline != leader.baseline
        record = FollowerRecord(display: id, leader: leader.id, isBehind: isBehind)
    }
}

extension Brightness {
    fileprivate func distance(to other: Brightness) -> Double { abs(fraction - other.fraction) }
}

/// A display that has followed another one.
package struct FollowerRecord: KeptRecord, Hashable, Sendable {
    package static let kind = "follower"
    package var key: String { display.text }

    let display: DisplayID
    let leader: DisplayID
    /// Whether it waits for the leader's brightness until it is available.
    let isBehind: Bool

    package init(display: DisplayID, leader: DisplayID, isBehind: Bool) {
        (self.display, self.leader, self.isBehind) = (display, leader, isBehind)
    }

    package func write(to json: inout JSONWriter) {
        json.member("display", display.text)
        json.member("leader", leader.text)
        json.member("behind", isBehind)
    }

    package init?(reading json: JSONNode) {
        guard let display = json["display"]?.display, let leader = json["leader"]?.display,
            let isBehind = json["behind"]?.bool
        else { return nil }
        self.init(display: display, leader: leader, isBehind: isBehind)
    }
}
