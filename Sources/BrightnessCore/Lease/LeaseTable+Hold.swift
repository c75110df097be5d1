// SPDX-License-Identifier: Apache-2.0

extension LeaseTable {
    /// Grants all of the leases or none, in place of all others of their holder.
    ///
    /// - Returns: The changes in their order.
    mutating func hold(
        _ requests: [LeaseRequest],
        by principal: Principal,
        makeID: () -> LeaseID,
        connectivity: HolderConnectivity,
        at now: Moment
    ) throws(LeaseError) -> [LeaseEvent] {
        let (before, kinds) = (self, requests.map(\.kind))
        var events: [LeaseEvent] = []
        do throws(LeaseError) {
            for request in requests {
                for other in LeaseKind.allCases where !kinds.contains(other) {
                    let ended = release(heldBy: request.holder, of: principal, kind: other)
                    events += ended.map { LeaseEvent($0, .released) }
                }
                events.append(try grant(request, by: principal, as: makeID(), connectivity: connectivity, at: now))
            }
            return events
        } catch {
            self = before
            throw error
        }
    }
}
