// SPDX-License-Identifier: Apache-2.0

/// The possible connectors of a monitor when it was found, and their EDID.
///
/// - The bus identifies a monitor's connector. If drivers do not report the bus, each connector with the monitor's EDID
///   is possible. Two equal monitors cannot be distinguished then, so one counts as asleep if either is.
/// - A monitor without a connector (NVIDIA without kernel mode setting) or with another EDID in the kernel
///   (`drm.edid_firmware`) counts as present.
package struct MonitorAttachment: Hashable, Sendable {
    package enum Power: Sendable {
        case on, asleep
        /// Its connector has no monitor, or another one.
        case unplugged
        /// It is at another connector, and so on another bus.
        case moved
        /// Its connector is unknown.
        case unknown
    }

    package let names: Set<String>
    private let edid: [UInt8]

    private init(_ connectors: [Connector], edid: [UInt8]) { (names, self.edid) = (Set(connectors.map(\.name)), edid) }

    /// The connector without its card: `DP-1`. `nil` if several are possible.
    package var connector: String? {
        names.count == 1 ? names.first.map { Connector(name: $0, edid: []).plug } : nil
    }

    /// Returns the attachment of a monitor that was at this connector; `nil` if it is unknown.
    ///
    /// - Parameter edid: The monitor's EDID, for a connector that shows none.
    static func attachment(at plug: String, showing edid: [UInt8] = [], among connectors: [Connector]) -> Self? {
        connectors.first { $0.plug == plug }.map { Self([$0], edid: $0.edid.isEmpty ? edid : $0.edid) }
    }

    /// Returns the attachments of responding monitors, in order; `nil` without a possible connector.
    package static func attachments(
        of monitors: [(bus: Int, edid: [UInt8])],
        among connectors: [Connector]
    ) -> [MonitorAttachment?] {
        // A connector with a responding monitor that reports "disconnected" is wrong.
        let connectors = connectors.filter { $0.isConnected != false }
        let byBus = monitors.map { monitor in
            let own = connectors.filter { $0.buses.contains(monitor.bus) }
            // Several connectors of one plug may share a bus.
            return own.first { $0.edid == monitor.edid } ?? own.first
        }
        let claimed = Set(byBus.compactMap { $0?.name })
        return zip(monitors, byBus).map { monitor, own in
            if let own { return MonitorAttachment([own], edid: own.edid) }
            let possible = connectors.filter { $0.edid == monitor.edid && !claimed.contains($0.name) }
            if possible.isEmpty || monitor.edid.isEmpty { return nil }
            return MonitorAttachment(possible, edid: monitor.edid)
        }
    }

    /// Whether one of its connectors shows an EDID; `nil` for the one from when the monitor was found.
    func isShown(_ edid: [UInt8]?, among connectors: [Connector]) -> Bool {
        let edid = edid ?? self.edid
        return !edid.isEmpty && connectors.contains { names.contains($0.name) && $0.shows(edid) }
    }

    /// - Parameters:
    ///   - connectors: The current connectors.
    ///   - others: The connectors that the monitor cannot have moved to: those of other monitors, and those at which
    ///     the newest search has not found it.
    package func power(among connectors: [Connector], apartFrom others: Set<String>) -> Power {
        let showing = connectors.filter { $0.shows(edid) }
        let own = showing.filter { names.contains($0.name) }
        if own.isEmpty {
            return showing.contains { !$0.edid.isEmpty && !others.contains($0.name) } ? .moved : .unplugged
        }
        if own.contains(where: { $0.isOn == false }) { return .asleep }
        return own.allSatisfy { $0.isOn == true } ? .on : .unknown
    }
}
