// SPDX-License-Identifier: Apache-2.0

/// A monitor in the library's list.
package struct ListedMonitor: Hashable, Sendable {
    /// The id of its EDID, which equal monitors share.
    package let model: String
    package let name: String
    package let bus: Int
    package let edid: [UInt8]
    /// Whether it answers over DDC/CI. A monitor that is off may only have its EDID read.
    package let answers: Bool

    package init(model: String, name: String, bus: Int, edid: [UInt8], answers: Bool) {
        (self.model, self.name, self.bus, self.edid, self.answers) = (model, name, bus, edid, answers)
    }

    /// Whether this may be the monitor with an id, which is the EDID's, perhaps with its connector or a number.
    func mayBe(_ id: String) -> Bool { id == model || id.hasPrefix("\(model)-") }
}

/// Where a monitor was last: its connector without the card, and its bus. Written `DP-1@5`, or `@5` without a
/// connector.
package struct MonitorAddress: Hashable, Sendable {
    package let connector: String?
    package let bus: Int

    package init(connector: String?, bus: Int) { (self.connector, self.bus) = (connector, bus) }

    package init?(_ text: some StringProtocol) {
        let parts = text.split(separator: "@", omittingEmptySubsequences: false)
        guard parts.count == 2, let bus = Int(parts[1]), bus >= 0 else { return nil }
        self.init(connector: parts[0].isEmpty ? nil : String(parts[0]), bus: bus)
    }

    package var text: String { "\(connector ?? "")@\(bus)" }
}

/// The monitors of all searches.
///
/// - A search never forgets a monitor: one that is off may not answer. It stays until the search finds it at another
///   connector, or another monitor there.
/// - A monitor of an earlier run is known by its id and its address.
package struct KnownMonitors: Sendable {
    package struct Monitor: Hashable, Sendable {
        package let id: String
        package fileprivate(set) var name: String
        package fileprivate(set) var bus: Int
        /// Empty for a monitor of an earlier run whose EDID this one has not seen.
        package fileprivate(set) var edid: [UInt8]
        /// Whether it answered the newest search.
        package fileprivate(set) var answers: Bool
        /// `nil` while its connector is unknown.
        package fileprivate(set) var attachment: MonitorAttachment?

        package var address: MonitorAddress { MonitorAddress(connector: attachment?.connector, bus: bus) }
    }

    /// Sorted by bus.
    package private(set) var monitors: [Monitor] = []
    /// The EDID at each connector at the newest search.
    private var searchedEDIDs: [String: [UInt8]] = [:]
    /// Whether the newest search had an answer at each connector with a monitor; `nil` if no driver reports connectors.
    package private(set) var isComplete: Bool?

    package init() {}

    package subscript(id: String) -> Monitor? { monitors.first { $0.id == id } }

    /// Adopts the result of a search.
    ///
    /// - Parameters:
    ///   - listed: Every monitor whose EDID was read.
    ///   - known: The ids of earlier searches and of earlier runs, and the address of each as far as it is known.
    package mutating func adopt(
        _ listed: [ListedMonitor],
        known: [String: MonitorAddress?] = [:],
        among connectors: [Connector]
    ) {
        let answering = listed.filter(\.answers)
        let earlier = known.sorted { $0.key < $1.key }.compactMap { id, address in
            self[id] == nil ? address.map { Monitor(id, at: $0, among: connectors) } : nil
        }
        let all = monitors + earlier
        let silent = all.compactMap { $0.silent(in: listed, apartFrom: all, among: connectors) }
        let attachments = MonitorAttachment.attachments(of: answering.map { ($0.bus, $0.edid) }, among: connectors)
        let ids = EDIDName.distinct(
            zip(answering, attachments).map { ($0.model, $1?.connector) },
            known: known.mapValues { $0?.connector ?? "" },
            reserved: Set(silent.map(\.id))
        )
        let found = answering.indices.map { index in
            let (one, id, attachment) = (answering[index], ids[index], attachments[index])
            return Monitor(id: id, name: one.name, bus: one.bus, edid: one.edid, answers: true, attachment: attachment)
        }
        monitors = (found + silent).sorted { ($0.bus, $0.id) < ($1.bus, $1.id) }
        searchedEDIDs = Dictionary(connectors.map { ($0.name, $0.edid) }) { first, _ in first }
        let external = connectors.filter { $0.isExternal && $0.isConnected != nil }
        let answered = found.reduce(into: Set<String>()) { $0.formUnion($1.attachment?.names ?? []) }
        isComplete = external.isEmpty ? nil : external.allSatisfy { !$0.isPlugged || answered.contains($0.name) }
    }

    /// Returns whether a monitor may be read and written; `nil` for an unknown one.
    package mutating func power(of id: String, among connectors: [Connector]) -> MonitorAttachment.Power? {
        guard let index = monitors.firstIndex(where: { $0.id == id }) else { return nil }
        // A connector may appear after its monitor.
        if monitors[index].attachment == nil { plugIn(connectors) }
        let others = monitors.indices.filter { $0 != index }
        let taken = Set(others.flatMap { monitors[$0].attachment?.names ?? [] })
        let unchanged = connectors.filter { searchedEDIDs[$0.name] == $0.edid }.map(\.name)
        return monitors[index].attachment?.power(among: connectors, apartFrom: taken.union(unchanged)) ?? .unknown
    }

    /// Whether a monitor may be switched off: another one may be at its bus by now. One that is switched on may seem to
    /// be unplugged.
    package mutating func maySwitchOff(_ id: String, among connectors: [Connector]) -> Bool {
        guard self[id]?.edid.isEmpty == false else { return false }
        return switch power(of: id, among: connectors) {
        case .unplugged, .moved: false
        case .on, .asleep, .unknown, nil: true
        }
    }

    /// Finds the connectors of monitors without one.
    private mutating func plugIn(_ connectors: [Connector]) {
        let attachments = MonitorAttachment.attachments(of: monitors.map { ($0.bus, $0.edid) }, among: connectors)
        for (index, attachment) in attachments.enumerated() where monitors[index].attachment == nil {
            monitors[index].attachment = attachment
        }
    }
}

extension KnownMonitors.Monitor {
    /// A monitor of an earlier run. The number of its connector's bus differs from boot to boot.
    fileprivate init(_ id: String, at address: MonitorAddress, among connectors: [Connector]) {
        let connector = address.connector.flatMap { plug in connectors.first { $0.plug == plug } }
        self.init(
            id: id,
            name: id,
            bus: connector?.buses.first ?? address.bus,
            edid: [],
            answers: false,
            attachment: address.connector.flatMap { MonitorAttachment.attachment(at: $0, among: connectors) }
        )
    }

    private func mayBe(_ other: ListedMonitor) -> Bool { edid.isEmpty ? other.mayBe(id) : other.edid == edid }

    /// Returns the monitor after a search that it did not answer; `nil` if the search found it, or another one at its
    /// bus.
    fileprivate func silent(
        in listed: [ListedMonitor],
        apartFrom known: [Self],
        among connectors: [Connector]
    ) -> Self? {
        var silent = self
        silent.answers = false
        if let here = listed.first(where: { $0.bus == bus }) {
            guard !here.answers, mayBe(here) else { return nil }
            // The connector of an earlier run may have had another monitor's EDID when this run began.
            if edid.isEmpty, let plug = address.connector {
                silent.attachment = .attachment(at: plug, showing: here.edid, among: connectors)
            }
            (silent.name, silent.edid) = (here.name, here.edid)
            return silent
        }
        // An equal monitor that answers at another bus is this one, unless that is the bus of another known one, or a
        // connector of this one still shows it.
        let hasMoved = listed.contains { other in
            other.answers && mayBe(other)
                && !known.contains { $0.id != id && $0.bus == other.bus && $0.mayBe(other) }
                && attachment?.isShown(edid.isEmpty ? other.edid : nil, among: connectors) != true
        }
        return hasMoved ? nil : silent
    }
}

extension Connector {
    fileprivate var isPlugged: Bool { isConnected == true }
}
