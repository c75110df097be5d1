// SPDX-License-Identifier: Apache-2.0

/// The possible connectors of a monitor when it was found, and their EDID.
///
/// - The bus identifies a monitor's connector. If drivers do not report the bus, each connector with the monitor's EDID
///   is possible. Two equal monitors cannot be distinguished then, so one counts as asleep if either is.
/// - A monitor without a connector (NVIDIA without kernel mode setting) or with another EDID in the kernel
///   (`drm.edid_firmware`) counts as present.
struct Socket {
    enum Power {
        case on, asleep
        /// Its connector has no monitor, or another one.
        case unplugged
        /// It is at another connector, and so on another bus.
        case moved
        /// Its connector is unknown.
        case unknown
    }

    let names: Set<String>
    private let edid: [UInt8]

    /// The connector without its card, whose number differs from boot to boot: `DP-1`. `nil` if several are possible.
    var connector: String? {
        guard names.count == 1, let name = names.first, let dash = name.firstIndex(of: "-") else { return nil }
        return String(name[dash...].dropFirst())
    }

    /// Returns the sockets of responding monitors, in order; `nil` without a possible connector.
    static func sockets(
        of monitors: [(bus: Int, edid: [UInt8])],
        among connectors: [Connector]
    ) -> [Socket?] {
        // A connector with a responding monitor that reports "disconnected" is wrong.
        let connectors = connectors.filter { !$0.isDisconnected }
        let byBus = monitors.map { monitor in
            let own = connectors.filter { $0.buses.contains(monitor.bus) }
            // Several connectors of one plug may share a bus.
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
    ///   - connectors: The current connectors.
    ///   - taken: The names of other monitors' connectors.
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
