// SPDX-License-Identifier: Apache-2.0
import Synchronization

extension DisplayService {
    /// Publishes another daemon's display: its arrival, then each change. Forwards its commands to `executor`. Persists
    /// nothing of it, and numbers its states with revisions of this daemon.
    ///
    /// - Parameters:
    ///   - leases: The leases in force. Their ends may be over by this machine's clock.
    ///   - end: How the earlier leases ended that are missing and not expired.
    /// - Returns: Whether the display is published. It is not if a display of this machine has the id.
    @discardableResult
    package func mirror(
        _ state: DisplayState,
        leases: [Lease],
        endingOthersAs end: LeaseChange = .stopped,
        executedBy executor: any CommandExecutor,
        at now: Moment
    ) -> Bool {
        var table = LeaseTable(display: state.id, mirroring: leases)
        let earlier = store[state.id]?.leases
        if let earlier { table.inheritEnds(of: earlier) }
        let events = table.changes(since: earlier?.all ?? [], endingOthersAs: end, at: now)
        return store.publish(state, leases: table, events: events, executedBy: executor)
    }

    /// Removes a mirrored display until the next `mirror`. Keeps nothing of it. Does not remove a display of this
    /// machine with the same id.
    package func withdraw(mirrored id: DisplayID) { store.withdraw(id) { !$0.isOwn } }

    /// Whether a holder has an open stream at this daemon.
    package func isPresent(_ holder: String, of principal: Principal) -> Bool {
        holders.connectivity(of: holder, principal).isConnected
    }

    /// Whether the connection of a mirrored display accepts a command for this many displays now.
    package func hasRoom(for count: Int, onConnectionOf id: DisplayID, of principal: Principal) -> Bool {
        guard case .mirror(let executor)? = store.owner(of: id) else { return true }
        return executor.hasRoom(for: count, of: principal)
    }

    /// The reason to reject a command for a mirrored display. The other daemon sees all clients of a broker as one
    /// principal, so this daemon checks who owns a lease.
    func refusal(of command: Command, for id: DisplayID) -> LeaseError? {
        switch command.action {
        case .renew(let lease, _), .release(let lease):
            let found = Result { () throws(LeaseError) in try self.lease(lease, of: id, for: command.requester) }
            return if case .failure(let error) = found { error } else { nil }
        default:
            return nil
        }
    }
}

extension LeaseTable {
    /// Returns the changes from the earlier leases to these. Remote clients choose the number of leases, so the cost is
    /// linear.
    fileprivate func changes(
        since earlier: [Lease],
        endingOthersAs end: LeaseChange,
        at now: Moment
    ) -> [LeaseEvent] {
        if earlier.isEmpty, all.isEmpty { return [] }
        let left = Set(all.map(\.id))
        let known = Dictionary(earlier.map { ($0.id, $0) }) { first, _ in first }
        let ended = earlier.filter { !left.contains($0.id) }.map { lease in
            LeaseEvent(lease, lease.endChange(at: now) ?? end)
        }
        let begun = all.compactMap { lease -> LeaseEvent? in
            guard let known = known[lease.id] else { return LeaseEvent(lease, .granted) }
            return lease.isSame(as: known) ? nil : LeaseEvent(lease, .renewed)
        }
        return ended + begun
    }
}

extension Lease {
    /// How its time ended a lease that its node no longer reports; `nil` if it was not over. The node's clock may be
    /// ahead.
    fileprivate func endChange(at now: Moment) -> LeaseChange? {
        let latest = now.wall + .seconds(1)
        if let end, end.wall <= latest { return .expired }
        return if let graceEnd, graceEnd.wall <= latest { .disconnected } else { nil }
    }

    /// Whether both leases look the same to a client.
    fileprivate func isSame(as other: Lease) -> Bool {
        (brightness, reason, lifespan, end?.wall, isOverridden)
            == (other.brightness, other.reason, other.lifespan, other.end?.wall, other.isOverridden)
            && graceEnd?.wall == other.graceEnd?.wall
    }
}
