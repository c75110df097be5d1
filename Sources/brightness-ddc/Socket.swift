// SPDX-License-Identifier: Apache-2.0

/// Where a monitor was plugged in when it was found: the connectors that may be its own, and what they showed then.
///
/// - A connector is a monitor's own by its bus. Where drivers do not say which bus that is, each that shows the monitor's EDID
///   may be: of two equal monitors nobody knows which is which, so one sleeps if either does.
/// - Nothing is concluded from the connectors of others: a monitor without one of its own (NVIDIA without kernel mode setting)
///   or with another EDID in the kernel than in the monitor (`drm.edid_firmware`) is there all the same.
struct Socket {
    enum Power {
        case on, asleep
        /// Its connector has nothing plugged in any more, or something else.
        case unplugged
        /// It is plugged in at another connector, so it is reached by another bus.
        case moved
        /// No connector is known to be its own.
        case unknown
    }

    let names: Set<String>
    private let edid: [UInt8]

    /// The sockets of monitors that answer, in their order; `nil` for one without a connector that may be its own.
    static func sockets(
        of monitors: [(bus: Int, edid: [UInt8])],
        among connectors: [Connector]
    ) -> [Socket?] {
        // One that is disconnected and has a monitor that answers does not know.
        let connectors = connectors.filter { !$0.isDisconnected }
        let byBus = monitors.map { monitor in
            let own = connectors.filter { $0.buses.contains(monitor.bus) }
            // Connectors of one plug may share a bus.
            return own.first { $0.edid == monitor.edid } ?? own.first
        }
        let claimed = Set(byBus.compactMap { $0?.name })
        return zip(monitors, byBus).map { monitor, own in
            if let own { return Socket(names: [own.name], edid: own.edid) }
            let possible = connectors.filter { $0.edid == monitor.edid && !claimed.contains($0.name) }
            if possible.isEmpty || monitor.edid.isEmpty { return nil }
            return Socket(names: Set(possible.map(\.name)), edid: monitor.edid)
        }
    }

    /// - Parameters:
    ///   - connectors: As they are now.
    ///   - taken: Names of connectors that other monitors are plugged into.
    func power(among connectors: [Connector], taken: Set<String>) -> Power {
        let showing = connectors.filter { $0.edid == edid && !$0.isDisconnected }
        let own = showing.filter { names.contains($0.name) }
        if own.isEmpty {
            return showing.contains { !$0.edid.isEmpty && !taken.contains($0.name) } ? .moved : .unplugged
        }
        if own.contains(where: { $0.isOn == false }) { return .asleep }
        return own.allSatisfy { $0.isOn == true } ? .on : .unknown
    }
}
