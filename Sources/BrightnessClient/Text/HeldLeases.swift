// SPDX-License-Identifier: Apache-2.0
package import BrightnessCore

/// The leases of displays, and the ends of the schedules among the holders.
package struct HeldLeases {
    private let leases: [Lease]
    /// By the name of the schedule.
    private let ends: [String: Timestamp]

    /// - Parameter schedules: All schedules of the daemon.
    package init(_ leases: [Lease] = [], schedules: [ScheduleState] = []) {
        self.leases = leases
        ends = schedules.reduce(into: [:]) { ends, state in
            guard state.isActive, let next = state.next, !next.isBegin else { return }
            ends[state.schedule.name.text] = next.at
        }
    }

    /// Such as `20 % by the schedule night, until 06:00`: the lease of a kind that counts, and how many others there
    /// are. `nil` if none is known.
    func text(of kind: LeaseKind, on display: DisplayID, at now: Timestamp) -> String? {
        let held = leases.filter { $0.display == display && $0.kind == kind && !$0.isOverridden }
        guard let strongest = held.max(by: { isWeaker($0, than: $1, kind) }) else { return nil }
        let others = held.count - 1
        let more = others == 0 ? "" : " " + (others == 1 ? "and another" : "and \(others) others")
        let level = strongest.brightness.map { $0.percent }
        if strongest.holder == ReservedHolder.idle {
            return [level, "while nobody is there" + more].compactMap(\.self).joined(separator: " ")
        }
        let author = (strongest.holder.map { "by \($0.holderText)" } ?? "") + more
        let who = [level, author.isEmpty ? nil : author].compactMap(\.self).joined(separator: " ")
        return [who.isEmpty ? nil : who, end(of: strongest, at: now)].compactMap(\.self).joined(separator: ", ")
    }

    private func isWeaker(_ one: Lease, than other: Lease, _ kind: LeaseKind) -> Bool {
        guard let left = one.brightness, let right = other.brightness, left != right else { return false }
        return kind.combined(left, right) == right
    }

    private func end(of lease: Lease, at now: Timestamp) -> String {
        if let name = lease.holder.flatMap({ ReservedHolder.schedule(of: $0) }) {
            return ends[String(name)].map { "until \($0.minute(at: now))" }
                ?? "until the schedule ends"
        }
        if lease.holder == ReservedHolder.presence, lease.end == nil { return "while somebody is near" }
        if lease.graceEnd != nil { return "ends soon: its page is closed" }
        if let end = lease.end { return "until \(end.wall.clock(at: now))" }
        return lease.lifespan == .visible ? "while its page is open" : "until released"
    }
}

extension Client {
    /// The leases of displays. Sends requests only if one of the displays has a lease.
    func heldLeases(of target: Target, _ states: [DisplayState]) throws(ClientError) -> HeldLeases {
        let isHeld = states.contains { state in LeaseKind.allCases.contains { state.leases(of: $0) != nil } }
        guard isHeld else { return HeldLeases() }
        let elements = try send(target.reading("leases")).json["leases"]?.elements
        let leases = elements?.compactMap { Lease(reading: $0, at: .now) } ?? []
        let isScheduled = leases.contains { $0.holder.flatMap { ReservedHolder.schedule(of: $0) } != nil }
        guard isScheduled else { return HeldLeases(leases) }
        let report = ScheduleReport(reading: try send(ClientRequest("GET", "/v1/schedules")).json)
        return HeldLeases(leases, schedules: report?.schedules ?? [])
    }
}
