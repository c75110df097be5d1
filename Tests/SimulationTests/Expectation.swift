// SPDX-License-Identifier: Apache-2.0
@testable import BrightnessCore

/// The expected state of one display by the published rules: a dictionary of leases, of which each may be overridden by
/// a person, and the baselines of brightness and power. Shares no code with the core. Times are the test's, in
/// milliseconds.
struct Expectation: Hashable {
    /// The possible ends of a lease that is over; both if both were due.
    typealias Ending = (id: LeaseID?, changes: Set<LeaseChange>)

    enum Outcome {
        case done([(id: LeaseID?, change: LeaseChange)])
        /// The lease does not exist.
        case noLease
        /// A lease of its kind and holder cannot be changed so.
        case impossibleLease
        /// The lease belongs to another principal.
        case foreignLease
        case outOfRange
        /// The panel cannot be switched.
        case notSwitchable
    }

    struct Baseline: Hashable {
        var fraction: Double
        var step: Int
    }

    /// How long a holder may be without a stream.
    static let grace = 10_000

    let minimum: Int
    let maximum: Int
    let cap: Double
    var asked: Baseline
    /// When a person chose it; `nil` if nobody has in this run.
    private var chosenAt: Int?
    /// When a person last overrode leases, or ended one of the daemon's, in this run.
    var decided: [Subject: Int] = [:]
    var leases: [Key: Lease] = [:]
    var power: ExpectedPower
    /// The state that a dimmer may have saved while leases changed the panel, and the baseline under them.
    struct Dimmed: Hashable {
        let steps: [Int]
        var asked: Baseline
        /// The leases that the dimmer has overridden.
        var overridden: Set<Key>
        let heldSince: Int?
    }

    private(set) var dimmed: Dimmed?
    /// Whether the last observed change was such a dimmer's restore.
    private(set) var hasRestored = false
    var automatic = ExpectedAutomatic()
    /// The display's name; `nil` for the panel's own.
    var name: DisplayName?
    /// The light; `nil` while no sensor knows it.
    var room: ExpectedAutomatic.Room?

    init(minimum: Int, maximum: Int, cap: Double, showing step: Int, isSwitchable: Bool) {
        (self.minimum, self.maximum, self.cap) = (minimum, maximum, cap)
        asked = Baseline(fraction: Double(step) / Double(maximum), step: step)
        power = ExpectedPower(isSwitchable: isSwitchable)
    }

    // MARK: Derived state

    var baseline: Double { asked.fraction }
    var baselineStep: Int { asked.step }

    /// The baseline that a person may have set at the panel.
    var nearest: Baseline { Baseline(fraction: baseline, step: Int((baseline * Double(maximum)).rounded())) }

    private var dimmest: Double { Double(minimum) / Double(maximum) }

    /// The reported brightness of the boosts: the highest, limited to what they can reach.
    var boost: Double? {
        counted(.boost).compactMap(\.brightness).max().map {
            let capped = min($0, cap)
            return capped > baseline ? max(capped, dimmest) : capped
        }
    }

    /// The reported brightness of the dims: the lowest.
    var dim: Double? { counted(.dim).compactMap(\.brightness).min().map { max($0, dimmest) } }

    var effective: Double {
        if leases.isEmpty { return baseline }
        let raised = isOverridden(.boost) ? baseline : max(boost ?? baseline, baseline)
        guard !isOverridden(.dim), let dim else { return raised }
        return min(dim, raised)
    }

    /// Whether leases change the brightness.
    var isLeased: Bool { effective != baseline }

    var step: Int {
        let effective = effective
        return effective == baseline ? baselineStep : step(of: effective)
    }

    private func step(of fraction: Double) -> Int { max(minimum, Int((fraction * Double(maximum)).rounded())) }

    // MARK: People

    /// Adopts the step found at a start.
    mutating func found(_ step: Int) {
        asked = Baseline(fraction: Double(step) / Double(maximum), step: step)
    }

    /// Applies a change by a person or a program to a panel that showed one of the steps `old`; `nil` at a start. A
    /// program that dims a leased panel and next sets the leased step is a dimmer, whose changes are not requests.
    ///
    /// - Parameter time: When the change was observed.
    mutating func found(_ step: Int, from old: [Int]?, wins: Bool, margin: Int, at time: Int) {
        if let dimmed, old != nil, dimmed.steps.contains(where: { abs($0 - step) <= margin }) {
            (asked, hasRestored) = (dimmed.asked, true)
            for key in dimmed.overridden { leases[key]?.isOverridden = false }
            decided[.brightness] = nil
            self.dimmed = nil
            automatic.returnHold(to: dimmed.heldSince)
            return follow()
        }
        if let old {
            let isRaised = effective > baseline
            let leased = old.filter { $0 > step && (isRaised ? $0 > baselineStep : $0 < baselineStep) }
            let isLeased = isLeased
            if old.allSatisfy({ step > $0 }) {
                dimmed = nil
            } else if isLeased, !leased.isEmpty {
                let overridden = Set(brightnessLeases.filter { !$0.value.isOverridden }.keys)
                dimmed = Dimmed(steps: leased, asked: asked, overridden: overridden, heldSince: automatic.heldSince)
            }
            // A change against a lease is not a lesson about the light.
            if isLeased || brightnessLeases.values.contains(where: \.isOverridden) {
                automatic.hold(since: time)
            } else {
                automatic.learn(Double(step) / Double(maximum), in: room, at: time)
            }
        }
        found(step)
        if old != nil { chosenAt = time }
        hasRestored = false
        if wins { override(.brightness, at: old == nil ? nil : time) }
    }

    /// Forgets the facts that only the run that ended has known.
    mutating func forgetRun() { (dimmed, hasRestored, chosenAt, decided) = (nil, false, nil, [:]) }

    /// The restored step, which may be below the minimum.
    mutating func takeOver(baseline fraction: Double) {
        asked = Baseline(fraction: fraction, step: step(of: fraction))
        dimmed?.asked = asked
    }

    mutating func set(_ fraction: Double) {
        let shown = max(fraction, dimmest)
        asked = Baseline(fraction: shown, step: step(of: shown))
        dimmed?.asked = asked
    }

    /// A person wants the baseline.
    private mutating func choose(at now: Int) {
        chosenAt = now
        automatic.learn(baseline, in: room, at: now)
    }

    /// The light sets the display if the change is large enough.
    private mutating func follow(exactly: Bool = false) {
        guard automatic.follows, let room else { return }
        let wanted = max(automatic.brightness(in: room), dimmest)
        if exactly || isWorthMoving(from: baseline, to: wanted) { set(wanted) }
    }

    private func isWorthMoving(from now: Double, to wanted: Double) -> Bool {
        abs(wanted - now) >= max(0.01, now / 8)
    }

    private mutating func move(by delta: Double) {
        let here = nearest.step
        // A step that others set below the minimum is not moved down, and a move down does not raise it.
        if delta == 0 || delta < 0 && baseline <= dimmest { return }
        if delta < 0 && here <= minimum { return set(dimmest) }
        let asked = min(max(baseline + delta, 0), 1)
        let next = here + (delta > 0 ? 1 : -1)
        set(step(of: asked) != here || next > maximum ? asked : Double(next) / Double(maximum))
    }

    /// Applies a command at `now`, after expired leases and holds have ended.
    ///
    /// - Parameters:
    ///   - present: The holders with or without a stream when the daemon executes the command.
    ///   - requester: `nil` for the daemon itself.
    ///   - isByPerson: Whether a client sent it. Only people teach.
    ///   - begin: A person who has chosen the brightness, or decided about leases, later than this has priority.
    mutating func apply(
        _ action: Command.Action,
        at now: Int,
        wall: Int,
        present: [String: Presence],
        by requester: Requester? = nil,
        isByPerson: Bool = true,
        unlessChosenSince begin: Int? = nil,
        granting ids: [LeaseKind: LeaseID] = [:]
    ) -> Outcome {
        switch action {
        case .set(.fraction(let brightness)):
            if let begin, let chosenAt, chosenAt > begin { return .done([]) }
            set(brightness.fraction)
            if isByPerson { choose(at: now) } else { automatic.hold(since: now) }
        case .set(.step(let step)):
            guard (0...maximum).contains(step) else { return .outOfRange }
            set(Double(step) / Double(maximum))
            choose(at: now)
        case .move(let delta):
            move(by: delta)
            choose(at: now)
        case .grant(let request):
            let subject: Subject = Key(kind: request.kind, holder: nil).isAboutPower ? .power : .brightness
            if let begin, let decided = decided[subject], decided > begin { return .done([]) }
            return grant(request, at: now, wall: wall, present, as: ids[request.kind])
        case .renew(let id, let change):
            guard let key = key(of: id) else { return .noLease }
            guard requester?.mayUse(key) ?? true else { return .foreignLease }
            return renew(key, change, at: now, wall: wall, present)
        case .release(let id):
            guard let key = key(of: id) else { return .noLease }
            guard requester?.mayUse(key) ?? true else { return .foreignLease }
            return .done(release(by: requester, at: now) { $0 == key })
        case .restore(let holder, let kind):
            let owner = requester?.principal ?? .daemon
            return .done(release { $0.isOf(holder) && $0.owner == owner && $0.kind == kind ?? $0.kind })
        case .restoreAll(let kind, let keepsOverridden):
            let kept = keepsOverridden ? leases.filter(\.value.isOverridden) : [:]
            let ended = release(by: requester, at: now) { $0.kind == kind ?? $0.kind && kept[$0] == nil }
            return .done(requester == nil ? ended.map { (id: $0.id, change: LeaseChange.stopped) } : ended)
        case .setPower(let isOn):
            guard power.isSwitchable else { return .notSwitchable }
            (power.baseline, power.outside) = (isOn, nil)
            override(.power, at: now)
        case .apply(let request):
            guard case .value(let value) = request.source else { return .done([]) }
            if value.isOn == false, !power.isSwitchable { return .notSwitchable }
            let ended = release(where: \.isOfPreset)
            if let hold = request.terms {
                return .done(ended + self.hold(value, hold, at: now, wall: wall, present, as: ids))
            }
            if let brightness = value.brightness {
                set(brightness.fraction)
                choose(at: now)
            }
            if let isOn = value.isOn, power.isSwitchable {
                (power.baseline, power.outside) = (isOn, nil)
                override(.power, at: now)
            }
            return .done(ended)
        case .setAutomatic(let isEnabled, let forgets):
            automatic.setEnabled(isEnabled)
            if forgets { automatic.forget() }
            follow(exactly: true)
        case .configure(let change):
            if let name = change.name { self.name = name }
        case .follow:
            follow()
        case .clockSet:
            correctWallEnds(at: now, wall: wall)
        case .tick, .refresh:
            break
        }
        return .done([])
    }

    private mutating func grant(
        _ request: LeaseRequest,
        at now: Int,
        wall: Int,
        _ present: [String: Presence],
        as id: LeaseID?
    ) -> Outcome {
        if request.kind == .sleep, !power.isSwitchable { return .notSwitchable }
        let key = Key(kind: request.kind, holder: request.holder)
        let held = leases[key]
        let ttl = request.ttl.map { milliseconds($0) }
        leases[key] = Lease(
            id: held?.id ?? id,
            brightness: request.level?.brightness?.fraction,
            lifespan: request.lifespan,
            end: ttl.map { now + $0 },
            wallEnd: ttl.map { wall + $0 },
            longest: ttl ?? 0,
            graceEnd: graceEnd(of: request.holder, request.lifespan, present, at: now),
            isOverridden: held?.isOverridden ?? false
        )
        if held == nil {
            // A new lease is not the one that a dimmer has overridden.
            dimmed?.overridden.remove(key)
            if key.isAboutPower { power.outside = nil }
        }
        return .done([(held?.id ?? id, held == nil ? .granted : .renewed)])
    }

    /// Holds a brightness from both sides, a power state, or both.
    private mutating func hold(
        _ value: PresetValue,
        _ hold: PresetRequest.Terms,
        at now: Int,
        wall: Int,
        _ present: [String: Presence],
        as ids: [LeaseKind: LeaseID]
    ) -> [(id: LeaseID?, change: LeaseChange)] {
        let sides: [LeaseKind] = value.brightness == nil ? [] : [.boost, .dim]
        let kinds = sides + (value.isOn.map { [$0 ? .wake : .sleep] } ?? [])
        let holder = hold.holder.map { "preset:\($0)" } ?? "preset"
        return kinds.flatMap { kind in
            let request = LeaseRequest(kind, at: value.brightness.map { .fraction($0) }, ttl: hold.ttl, holder: holder)
            guard case .done(let granted) = grant(request, at: now, wall: wall, present, as: ids[kind]) else {
                return [(id: LeaseID?, change: LeaseChange)]()
            }
            return granted
        }
    }

    private mutating func renew(
        _ key: Key,
        _ change: LeaseRenewal,
        at now: Int,
        wall: Int,
        _ present: [String: Presence]
    ) -> Outcome {
        guard var lease = leases[key] else { return .noLease }
        if let holder = key.holder, ReservedHolder.includes(holder) { return .impossibleLease }
        if change.level != nil, key.isAboutPower { return .impossibleLease }
        if change.lifespan == .visible, key.holder == nil { return .impossibleLease }
        if key.kind == .sleep, change.lifespan == .lifetime || change.lifespan == .visible && change.ttl == nil {
            return .impossibleLease
        }
        lease.brightness = change.level?.brightness?.fraction ?? lease.brightness
        if change.lifespan != nil || change.ttl != nil {
            let ttl = (change.ttl ?? (change.lifespan == .custom ? .seconds(300) : nil)).map { milliseconds($0) }
            lease.end = ttl.map { now + $0 }
            lease.wallEnd = ttl.map { wall + $0 }
            lease.longest = ttl ?? 0
        }
        if let lifespan = change.lifespan {
            lease.lifespan = lifespan
            lease.graceEnd = graceEnd(of: key.holder, lifespan, present, at: now)
        }
        leases[key] = lease
        return .done([(lease.id, .renewed)])
    }

    /// A client who ends a lease of the daemon decides against it.
    private mutating func release(
        by requester: Requester?,
        at now: Int,
        where isMeant: (Key) -> Bool
    ) -> [(id: LeaseID?, change: LeaseChange)] {
        for key in leases.keys where requester != nil && isMeant(key) && key.owner == .daemon {
            decided[key.isAboutPower ? .power : .brightness] = now
        }
        return release(where: isMeant)
    }

    mutating func release(where isMeant: (Key) -> Bool) -> [(id: LeaseID?, change: LeaseChange)] {
        leases.keys.filter(isMeant).map { (leases.removeValue(forKey: $0)?.id, .released) }
    }

    private func graceEnd(
        of holder: String?,
        _ lifespan: LeaseLifespan,
        _ present: [String: Presence],
        at now: Int
    ) -> Int? {
        guard lifespan == .visible else { return nil }
        return switch holder.flatMap({ present[$0] }) {
        case .connected: nil
        case .gone(let since): max(now, since) + Self.grace
        case nil: now + Self.grace
        }
    }

    /// A holder's streams in one run of the daemon.
    enum Presence: Hashable {
        /// Since its first stream was opened.
        case connected(since: Int)
        /// Since its last stream was closed.
        case gone(since: Int)
    }

    /// Whether a lease depends on its holder's streams.
    var hasVisible: Bool { leases.values.contains { $0.lifespan == .visible } }

    /// Begins a grace period when a holder's last stream was closed, and ends it when the holder came back in time.
    mutating func compare(with present: [String: Presence]) {
        for (key, lease) in leases where lease.lifespan == .visible {
            switch key.holder.flatMap({ present[$0] }) {
            case .connected(let since):
                if let end = lease.graceEnd, end > since { leases[key]?.graceEnd = nil }
            case .gone(let since):
                leases[key]?.graceEnd = max(lease.graceEnd ?? 0, since + Self.grace)
            case nil:
                break
            }
        }
    }

    // MARK: Time

    /// The wall clock was set: each end has another wall time, and is stored again, if it differs by at least a second.
    private mutating func correctWallEnds(at now: Int, wall: Int) {
        for (key, lease) in leases {
            guard let end = lease.end, let wallEnd = lease.wallEnd else { continue }
            let corrected = wall + end - now
            guard abs(corrected - wallEnd) >= 1_000 else { continue }
            leases[key]?.wallEnd = corrected
            leases[key]?.longest = end - now
        }
    }

    /// Whether a lease or hold is over at `now`.
    func isOverdue(at now: Int) -> Bool {
        automatic.isHoldOver(at: now) || leases.values.contains { !$0.endings(by: now).isEmpty }
    }

    /// Ends leases and holds at `now`.
    mutating func expire(at now: Int) -> [Ending] {
        if automatic.endHold(at: now) { follow() }
        if leases.isEmpty { return [] }
        var endings: [Ending] = []
        for (key, lease) in leases {
            let changes = lease.endings(by: now)
            if changes.isEmpty { continue }
            leases[key] = nil
            endings.append((lease.id, changes))
        }
        return endings
    }
}

extension Requester {
    fileprivate func mayUse(_ key: Expectation.Key) -> Bool { isAdmin || principal == key.owner }
}

func milliseconds(_ duration: Duration) -> Int {
    let (seconds, attoseconds) = duration.components
    return Int(seconds) * 1_000 + Int(attoseconds / 1_000_000_000_000_000)
}

extension Array where Element: Hashable {
    /// Each element once, at its first place.
    var unique: [Element] {
        var seen: Set<Element> = []
        return filter { seen.insert($0).inserted }
    }
}
