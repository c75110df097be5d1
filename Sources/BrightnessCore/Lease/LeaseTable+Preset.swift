// SPDX-License-Identifier: Apache-2.0

/// The leases of presets. The newest press of a person counts: it ends those of every earlier one, by any principal.
extension LeaseTable {
    /// Ends the leases of all presets, overridden or not.
    mutating func endPresets() -> [LeaseEvent] {
        release { PresetHolder.includes($0.holder) }.map { LeaseEvent($0, .released) }
    }

    /// Grants all of the leases or none, in place of those of all presets.
    ///
    /// - Returns: The changes in their order.
    mutating func grantPreset(
        _ requests: [LeaseRequest],
        by principal: Principal,
        makeID: () -> LeaseID,
        at now: Moment
    ) throws(LeaseError) -> [LeaseEvent] {
        let before = self
        var events = endPresets()
        do throws(LeaseError) {
            for request in requests { events.append(try grant(request, by: principal, as: makeID(), at: now)) }
            return events
        } catch {
            self = before
            throw error
        }
    }
}
