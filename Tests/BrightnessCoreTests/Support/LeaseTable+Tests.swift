// SPDX-License-Identifier: Apache-2.0
@testable import BrightnessCore

/// Short forms for tests with one principal.
extension LeaseTable {
    mutating func grant(
        _ request: LeaseRequest,
        as id: LeaseID,
        connectivity: HolderConnectivity = .unknown,
        at now: Moment
    ) throws(LeaseError) -> LeaseEvent {
        try grant(request, by: .anonymous, as: id, connectivity: connectivity, at: now)
    }

    mutating func renew(_ id: LeaseID, ttl: Duration, at now: Moment) throws(LeaseError) -> Lease {
        try renew(id, with: LeaseRenewal(ttl: ttl), at: now)
    }

    mutating func release(heldBy holder: String?) -> Lease? { release(heldBy: holder, of: .anonymous).first }
}
