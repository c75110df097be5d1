// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import Documents

extension Client {
    /// The leases of these displays. Sends requests only for displays that have leases.
    func holdings(of states: [DisplayState]) throws(ClientError) -> Holdings {
        var leases: [Lease] = []
        for state in states where LeaseKind.allCases.contains(where: { state.leases(of: $0) != nil }) {
            let path = "/v1/displays/\(ClientRequest.encoded(state.id.text))/leases"
            leases += LeaseTable.leases(in: try send(ClientRequest("GET", path)).json, at: .now) ?? []
        }
        let isScheduled = leases.contains { $0.holder.flatMap { ReservedHolder.schedule(of: $0) } != nil }
        guard isScheduled else { return Holdings(leases) }
        let report = ScheduleReport(reading: try send(ClientRequest("GET", "/v1/schedules")).json)
        return Holdings(leases, schedules: report?.schedules ?? [])
    }
}
