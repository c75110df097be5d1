// SPDX-License-Identifier: Apache-2.0
import BrightnessCore

/// The `visible` boosts of other daemons' displays whose holders' streams are open here. Each is requested for at most
/// `Command.borrowedTTL` at a time, and again before that is over. Rules only; time is an argument.
struct BorrowedBoosts {
    struct Holder: Hashable {
        let name: String
        let principal: Principal

        init(_ name: String, of principal: Principal) {
            self.name = name
            self.principal = principal
        }

        /// `nil` for the lease of a holder without a name, which no stream keeps in force.
        init?(_ lease: Lease) {
            guard let name = lease.holder else { return nil }
            self.init(name, of: lease.principal)
        }
    }

    struct Key: Hashable {
        let display: DisplayID
        let holder: Holder
    }

    private struct Loan {
        let command: Command
        let request: BoostRequest
        /// When the `ttl` of the holder's own request is over.
        let end: Instant?
        /// When the other daemon ends the boost unless it is requested again.
        let lapse: Instant
        /// When it is looked at next.
        var due: Instant
    }

    /// How often a boost is requested again.
    static let renewal: Duration = .seconds(7)
    /// How often a boost that is due is looked at while its holder or its daemon is away.
    static let retry: Duration = .seconds(1)

    private var loans: [Key: Loan] = [:]

    /// Takes note of a boost that is requested now; any other lifespan of the same holder replaces a `visible` one.
    mutating func requested(_ command: Command, on display: DisplayID, at now: Instant) {
        guard case .boost(let request) = command.action, let holder = request.holder else { return }
        let key = Key(display: display, holder: Holder(holder, of: command.principal))
        guard request.lifespan == .visible else {
            loans[key] = nil
            return
        }
        loans[key] = Loan(
            command: command,
            request: request,
            end: request.ttl.map { now + $0 },
            lapse: now + min(request.ttl ?? Command.borrowedTTL, Command.borrowedTTL),
            due: now + Self.renewal
        )
    }

    /// The other daemon no longer reports these holders' leases. Who ended them before they lapsed meant to; a boost that
    /// lapsed while the daemon was away is requested again.
    mutating func ended(_ holders: Set<Holder>, on display: DisplayID, at now: Instant) {
        for holder in holders {
            let key = Key(display: display, holder: holder)
            if let loan = loans[key], loan.lapse > now { loans[key] = nil }
        }
    }

    /// A daemon is back: what it reports of its leases comes first.
    mutating func wait(until instant: Instant, on displays: some Sequence<DisplayID>) {
        let displays = Set(displays)
        for (key, loan) in loans where displays.contains(key.display) && loan.due < instant {
            loans[key]?.due = instant
        }
    }

    /// Returns the boosts to request now, for what is left of their time.
    ///
    /// - Parameters:
    ///   - isPresent: Whether a holder has a stream open here.
    ///   - isReachable: Whether a display's daemon can be asked.
    ///   - isHeld: Whether a holder's lease is in force, as far as is known here.
    mutating func takeDue(
        at now: Instant,
        isPresent: (Holder) -> Bool,
        isReachable: (DisplayID) -> Bool,
        isHeld: (Key) -> Bool
    ) -> [(display: DisplayID, command: Command)] {
        var due: [(display: DisplayID, command: Command)] = []
        for (key, loan) in loans where loan.due <= now {
            loans[key] = nil
            if let end = loan.end, end <= now { continue }
            let isPresent = isPresent(key.holder), hasLapsed = loan.lapse <= now
            if !isPresent, hasLapsed { continue }
            if isPresent, isReachable(key.display) {
                // One that is over before its time was ended by somebody, or was never granted.
                guard hasLapsed || isHeld(key) else { continue }
                var (command, request) = (loan.command, loan.request)
                if let end = loan.end { request.ttl = end - now }
                command.action = .boost(request)
                due.append((key.display, command))
            } else {
                // The page may reconnect, the daemon may come back.
                loans[key] = loan
                loans[key]?.due = now + Self.retry
            }
        }
        return due
    }
}
