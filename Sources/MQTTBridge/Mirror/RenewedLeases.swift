// SPDX-License-Identifier: Apache-2.0
import BrightnessCore

/// The `visible` leases of mirrored displays whose holders have streams open here. Each is requested for at most
/// `Command.forwardedTTL`, and renewed before that expires. A renewal changes nothing else of the lease: other clients,
/// also of other daemons, may have changed it since. Rules only; time is an argument.
struct RenewedLeases {
    /// The holder of one kind of lease.
    struct Holder: Hashable {
        let name: String
        let principal: Principal
        let kind: LeaseKind
    }

    struct Key: Hashable {
        let display: DisplayID
        let holder: Holder
    }

    private struct Renewal {
        /// The lease as its daemon last reported it.
        var lease: Lease
        /// The end of the `ttl` in the holder's own request.
        let end: Instant?
        /// The time when the other daemon ends the lease unless it is renewed, or when it lost the lease.
        var lapse: Instant
        /// The time of the next check.
        var due: Instant

        /// The command that renews the lease, or requests it again once it lapsed.
        ///
        /// - Parameter held: The lease, if it is reported as active.
        func command(of holder: Holder, held: Lease?, at now: Instant) -> Command {
            let ttl = end.map { $0 - now }
            let action: Command.Action =
                if let held {
                    .renew(held.id, LeaseRenewal(lifespan: .visible, ttl: ttl))
                } else {
                    .grant(
                        LeaseRequest(
                            lease.kind,
                            at: lease.brightness.map { .fraction($0) },
                            lifespan: .visible,
                            ttl: ttl,
                            holder: holder.name,
                            reason: lease.reason
                        )
                    )
                }
            return Command(
                action,
                by: holder.name,
                reason: lease.reason,
                requester: Requester(holder.principal, isAdmin: false)
            )
        }
    }

    /// The time between two renewals.
    static let renewalInterval: Duration = .seconds(7)
    /// The time between two checks of a due lease while its holder or its daemon is absent.
    static let retryInterval: Duration = .seconds(1)

    private var renewals: [Key: Renewal] = [:]

    func contains(_ key: Key) -> Bool { renewals[key] != nil }

    /// The command as its node gets it. A new time limit of a lease that is renewed here keeps it `visible`.
    func keepingVisible(_ command: Command, on id: DisplayID, known: [Lease]) -> Command {
        guard case .renew(let lease, var change) = command.action, change.lifespan == nil, change.ttl != nil,
            let key = Key(of: command, on: id, known: known), contains(key)
        else { return command }
        change.lifespan = .visible
        var command = command
        command.action = .renew(lease, change)
        return command
    }

    /// A command about this lease was sent. The lease is not renewed before the answer, which may change how.
    mutating func sent(_ key: Key, answerBy deadline: Instant) {
        guard let renewal = renewals[key] else { return }
        renewals[key]?.due = max(renewal.due, deadline)
    }

    /// The other daemon granted or renewed a lease. One that is no longer `visible` is not renewed.
    ///
    /// - Parameters:
    ///   - lifespan: The requested one; `nil` if the request kept it.
    ///   - ttl: The requested time limit.
    ///   - instant: When it was requested.
    mutating func answered(_ lease: Lease, lifespan: LeaseLifespan?, ttl: Duration?, at instant: Instant) {
        guard let key = Key(lease), lifespan != nil || ttl != nil else { return }
        guard lifespan.map({ $0 == .visible }) ?? contains(key) else {
            renewals[key] = nil
            return
        }
        renewals[key] = Renewal(
            lease: lease,
            end: ttl.map { instant + $0 },
            lapse: instant + min(ttl ?? Command.forwardedTTL, Command.forwardedTTL),
            due: instant + Self.renewalInterval
        )
    }

    /// The other daemon executed a command. A lease that it releases is not requested again, also if it had lapsed.
    mutating func released(by command: Command, on target: ForwardedRequest.Target) {
        switch command.action {
        case .release, .restore, .restoreAll: for key in keys(of: command, on: [target]) { renewals[key] = nil }
        default: break
        }
    }

    /// The leases that a command is about, and that may be renewed here.
    func keys(of command: Command, on targets: [ForwardedRequest.Target]) -> [Key] {
        switch command.action {
        case .restore(let name?, let kind):
            let holders = (kind.map { [$0] } ?? LeaseKind.allCases).map {
                Holder(name: name, principal: command.principal, kind: $0)
            }
            return targets.flatMap { target in holders.map { Key(display: target.id, holder: $0) } }
        case .restoreAll(let kind, _):
            let displays = Set(targets.map(\.id))
            return renewals.keys.filter { displays.contains($0.display) && $0.holder.kind == kind ?? $0.holder.kind }
        default: return targets.compactMap { Key(of: command, on: $0.id, known: $0.known) }
        }
    }

    /// The other daemon reports these leases.
    mutating func reported(_ leases: [Lease]) {
        guard !renewals.isEmpty else { return }
        for lease in leases { if let key = Key(lease) { renewals[key]?.lease = lease } }
    }

    /// The other daemon no longer reports these holders' leases. A lease that was released before it lapsed is
    /// forgotten; one that lapsed, or that the daemon lost, is requested again.
    mutating func ended(_ holders: Set<Holder>, as end: LeaseChange, on display: DisplayID, at now: Instant) {
        for holder in holders {
            let key = Key(display: display, holder: holder)
            guard var renewal = renewals[key], renewal.lapse > now else { continue }
            (renewal.lapse, renewal.due) = (now, min(renewal.due, now))
            renewals[key] = end == .released ? nil : renewal
        }
    }

    /// Postpones checks until a returning daemon has reported its leases.
    mutating func wait(until instant: Instant, on displays: some Sequence<DisplayID>) {
        let displays = Set(displays)
        for (key, renewal) in renewals where displays.contains(key.display) && renewal.due < instant {
            renewals[key]?.due = instant
        }
    }

    /// Returns the commands that renew leases now, for their remaining time.
    ///
    /// - Parameters:
    ///   - isPresent: Whether a holder has a stream open here.
    ///   - isReachable: Whether a display's daemon is online.
    ///   - held: Returns the lease that is reported as active; `nil` if none is.
    mutating func takeDue(
        at now: Instant,
        isPresent: (Holder) -> Bool,
        isReachable: (DisplayID) -> Bool,
        held: (Key) -> Lease?
    ) -> [(display: DisplayID, command: Command)] {
        var due: [(display: DisplayID, command: Command)] = []
        for (key, renewal) in renewals where renewal.due <= now {
            // Each `continue` forgets the lease; otherwise it is put back below.
            renewals[key] = nil
            if let end = renewal.end, end <= now { continue }
            let isPresent = isPresent(key.holder), hasLapsed = renewal.lapse <= now
            if !isPresent, hasLapsed { continue }
            var delay = Self.retryInterval
            if isPresent, isReachable(key.display) {
                let held = held(key)
                // A lease that is missing before it lapsed was released.
                guard hasLapsed || held != nil else { continue }
                // A new lease would apply again, against the person who has overridden this one.
                if held == nil, renewal.lease.isOverridden { continue }
                due.append((key.display, renewal.command(of: key.holder, held: held, at: now)))
                delay = Self.renewalInterval
            }
            // If nothing was sent, the page may reconnect, or the daemon may come back.
            renewals[key] = renewal
            renewals[key]?.due = now + delay
        }
        return due
    }
}

extension RenewedLeases.Holder {
    /// Returns `nil` for a lease without a holder, which no stream keeps.
    init?(_ lease: Lease) {
        guard let name = lease.holder else { return nil }
        self.init(name: name, principal: lease.principal, kind: lease.kind)
    }
}

extension RenewedLeases.Key {
    /// Returns `nil` for a lease without a holder.
    init?(_ lease: Lease) {
        guard let holder = RenewedLeases.Holder(lease) else { return nil }
        self.init(display: lease.display, holder: holder)
    }

    /// The lease that a command on a display is about; `nil` for other commands, and for those about several.
    init?(of command: Command, on display: DisplayID, known: [Lease]) {
        switch command.action {
        case .grant(let request):
            guard let name = request.holder else { return nil }
            self.init(display: display, holder: .init(name: name, principal: command.principal, kind: request.kind))
        case .renew(let id, _), .release(let id):
            guard let lease = known.first(where: { $0.id == id }) else { return nil }
            self.init(lease)
        default: return nil
        }
    }
}

extension Command.Action {
    /// The requested lifespan and time limit of a lease; `nil` for other actions.
    var terms: (lifespan: LeaseLifespan?, ttl: Duration?)? {
        switch self {
        case .grant(let request): (request.lifespan, request.ttl)
        case .renew(_, let change): (change.lifespan, change.ttl)
        default: nil
        }
    }
}
