// SPDX-License-Identifier: Apache-2.0
import BrightnessCore

extension Client {
    /// The leases of displays. Sends requests only if one of the displays has a lease.
    ///
    /// - Parameter states: The states of the target's displays.
    func holdings(of target: Target, _ states: [DisplayState]) throws(ClientError) -> Holdings {
        let isHeld = states.contains { state in LeaseKind.allCases.contains { state.leases(of: $0) != nil } }
        guard isHeld else { return Holdings() }
        let elements = try send(target.leases).json["leases"]?.elements
        let leases = elements?.compactMap { Lease(reading: $0, at: .now) } ?? []
        let isScheduled = leases.contains { $0.holder.flatMap { ReservedHolder.schedule(of: $0) } != nil }
        guard isScheduled else { return Holdings(leases) }
        let report = ScheduleReport(reading: try send(ClientRequest("GET", "/v1/schedules")).json)
        return Holdings(leases, schedules: report?.schedules ?? [])
    }
}
