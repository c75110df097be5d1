// SPDX-License-Identifier: Apache-2.0
import Synchronization

extension DisplayService {
    /// Tells of a display of another daemon what that says of it: at first that it is here, then what is new. Its commands go
    /// to `executor`. Nothing of it is kept here; its revision counts here.
    ///
    /// - Returns: Whether it is told of. It is not if a display of this machine has the id.
    @discardableResult
    package func mirror(
        _ state: DisplayState,
        boosts leases: [Lease],
        executedBy executor: any CommandExecutor,
        at now: Moment
    ) -> Bool {
        var boosts = LeaseTable(display: state.id, goingOnWith: leases, at: now)
        if let earlier = store[state.id]?.boosts { boosts.inheritEnds(of: earlier) }
        return store.mirror(state, boosts, executedBy: executor, at: now)
    }

    /// Removes a mirrored display: nothing of it is kept, and it comes back only by `mirror`. A display of this machine that has
    /// the id stays.
    package func withdraw(mirrored id: DisplayID) { store.withdraw(id) { !$0.isOwn } }

    /// Whether a holder has a stream open here.
    package func isPresent(_ holder: String, of principal: Principal) -> Bool {
        holders.isPresent(holder, of: principal)
    }

    /// Why a command for a mirrored display is not forwarded: the other daemon knows all who ask through a broker as one
    /// principal, so whose a lease is has to be decided here.
    func refusal(of command: Command, for id: DisplayID) -> LeaseError? {
        switch command.action {
        case .renew(let lease, _), .release(let lease):
            do throws(LeaseError) {
                _ = try (store[id]?.boosts ?? LeaseTable(display: id)).lease(lease, for: command.asker)
                return nil
            } catch {
                return error
            }
        case .set, .adjust, .boost, .restore, .restoreAll, .setAutomatic, .follow, .presence, .clockSet, .tick,
            .refresh:
            return nil
        }
    }
}

extension DisplayStateStore {
    /// What another daemon says of a display of its own.
    fileprivate func mirror(
        _ new: DisplayState,
        _ boosts: LeaseTable,
        executedBy executor: any CommandExecutor,
        at now: Moment
    ) -> Bool {
        let events = boosts.changes(since: self[new.id]?.boosts.all ?? [], at: now)
        return publish(new, boosts: boosts, events: events, executedBy: executor)
    }
}

extension LeaseTable {
    /// The changes that lead from these leases to what is left. Others choose how many there are, so
    /// the cost grows with their number and not with its square.
    fileprivate func changes(since earlier: [Lease], at now: Moment) -> [LeaseEvent] {
        if earlier.isEmpty, all.isEmpty { return [] }
        let left = Set(all.map(\.id))
        let known = Dictionary(earlier.map { ($0.id, $0) }) { first, _ in first }
        let ended = earlier.filter { !left.contains($0.id) }.map { lease in
            LeaseEvent(lease, lease.end.map { $0.instant <= now.instant } ?? false ? .expired : .released)
        }
        let begun = all.compactMap { lease -> LeaseEvent? in
            guard let known = known[lease.id] else { return LeaseEvent(lease, .granted) }
            return lease.isSame(as: known) ? nil : LeaseEvent(lease, .renewed)
        }
        return ended + begun
    }
}

extension Lease {
    /// Whether a client is told the same of both.
    fileprivate func isSame(as other: Lease) -> Bool {
        (brightness, reason, lifespan, end?.wall) == (other.brightness, other.reason, other.lifespan, other.end?.wall)
    }
}
