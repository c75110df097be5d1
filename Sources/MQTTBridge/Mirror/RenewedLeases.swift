// SPDX-License-Identifier: Apache-2.0
import BrightnessCore

/// The `visible` leases of mirrored displays whose holders have streams open here. Each is requested for at most
/// `Command.forwardedTTL`, and renewed before that expires. Rules only; time is an argument.
struct RenewedLeases {
    /// The holder of one kind of lease.
    struct Holder: Hashable {
        let name: String
        let principal: Principal
        let kind: LeaseKind

        init(_ name: String, of principal: Principal, _ kind: LeaseKind = .boost) {
            self.name = name
            self.principal = principal
            self.kind = kind
        }

        /// Returns `nil` for a lease without a holder, which no stream keeps.
        init?(_ lease: Lease) {
            guard let name = lease.holder else { return nil }
            self.init(name, of: lease.principal, lease.kind)
        }
    }

    struct Key: Hashable {
        let display: DisplayID
        let holder: Holder
    }

    private struct Renewal {
        let command: Command
        let request: LeaseRequest
        /// The end of the `ttl` in the holder's own request.
        let end: Instant?
        /// The time when the other daemon ends the lease unless it is renewed.
        let lapse: Instant
        /// The time of the next check.
        var due: Instant
    }

    /// The time between two renewals.
    static let renewalInterval: Duration = .seconds(7)
    /// The time between two checks of a due lease while its holder or its daemon is absent.
    static let retryInterval: Duration = .seconds(1)

    private var renewals: [Key: Renewal] = [:]

    /// Records a requested lease. A lease of another lifespan replaces the `visible` one of the same holder.
    mutating func requested(_ command: Command, on display: DisplayID, at now: Instant) {
        guard case .grant(let request) = command.action, let holder = request.holder else { return }
        let key = Key(display: display, holder: Holder(holder, of: command.principal, request.kind))
        guard request.lifespan == .visible else {
            renewals[key] = nil
            return
        }
        renewals[key] = Renewal(
            command: command,
            request: request,
            end: request.ttl.map { now + $0 },
            lapse: now + min(request.ttl ?? Command.forwardedTTL, Command.forwardedTTL),
            due: now + Self.renewalInterval
        )
    }

    /// The other daemon no longer reports these holders' leases. A lease that was ended before it lapsed is forgotten;
    /// one that lapsed while the daemon was absent is requested again.
    mutating func ended(_ holders: Set<Holder>, on display: DisplayID, at now: Instant) {
        for holder in holders {
            let key = Key(display: display, holder: holder)
            if let renewal = renewals[key], renewal.lapse > now { renewals[key] = nil }
        }
    }

    /// Postpones checks until a returning daemon has reported its leases.
    mutating func wait(until instant: Instant, on displays: some Sequence<DisplayID>) {
        let displays = Set(displays)
        for (key, renewal) in renewals where displays.contains(key.display) && renewal.due < instant {
            renewals[key]?.due = instant
        }
    }

    /// Returns the leases to renew now, with their remaining time.
    ///
    /// - Parameters:
    ///   - isPresent: Whether a holder has a stream open here.
    ///   - isReachable: Whether a display's daemon is online.
    ///   - isHeld: Whether a holder's lease is reported as active.
    mutating func takeDue(
        at now: Instant,
        isPresent: (Holder) -> Bool,
        isReachable: (DisplayID) -> Bool,
        isHeld: (Key) -> Bool
    ) -> [(display: DisplayID, command: Command)] {
        var due: [(display: DisplayID, command: Command)] = []
        for (key, renewal) in renewals where renewal.due <= now {
            renewals[key] = nil
            if let end = renewal.end, end <= now { continue }
            let isPresent = isPresent(key.holder), hasLapsed = renewal.lapse <= now
            if !isPresent, hasLapsed { continue }
            if isPresent, isReachable(key.display) {
                // A lease missing before it lapsed was released, or never granted.
                guard hasLapsed || isHeld(key) else { continue }
                var (command, request) = (renewal.command, renewal.request)
                if let end = renewal.end { request.ttl = end - now }
                command.action = .grant(request)
                due.append((key.display, command))
            } else {
                // The page may reconnect, the daemon may come back.
                renewals[key] = renewal
                renewals[key]?.due = now + Self.retryInterval
            }
        }
        return due
    }
}
