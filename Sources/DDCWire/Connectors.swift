// SPDX-License-Identifier: Apache-2.0
import Glibc

/// The state of one connector of the machine.
package struct Connector: Hashable, Sendable {
    /// The kinds of connectors without a monitor: those inside a machine, and those of no hardware.
    private static let otherKinds = ["eDP", "LVDS", "DSI", "DPI", "Virtual", "Writeback"]

    /// With its card: `card0-DP-1`.
    package let name: String
    /// The I2C buses of its monitor; empty if the driver does not report them.
    package let buses: Set<Int>
    /// The first 128 bytes of the kernel's EDID: the monitor's, or one given by a person (`drm.edid_firmware`). Empty
    /// without a monitor, or if the driver has none.
    package let edid: [UInt8]
    /// Whether a monitor is plugged in; `nil` if unknown.
    package let isConnected: Bool?
    /// Whether it has a signal; without one its monitor sleeps. `nil` if unknown.
    package let isOn: Bool?

    package init(name: String, buses: Set<Int> = [], edid: [UInt8], isConnected: Bool? = nil, isOn: Bool? = nil) {
        (self.name, self.buses, self.edid, self.isConnected, self.isOn) = (name, buses, edid, isConnected, isOn)
    }

    /// The name without the card, whose number differs from boot to boot: `DP-1`.
    package var plug: String { String(name.drop { $0 != "-" }.dropFirst()) }

    /// Whether a monitor can be plugged in.
    package var isExternal: Bool { !Self.otherKinds.contains { plug.hasPrefix("\($0)-") } }

    func shows(_ edid: [UInt8]) -> Bool { self.edid == edid && isConnected != false }
}

/// Reads connectors from the kernel's files, which wakes no monitor.
///
/// - SeeAlso: `dpms`, `edid`, `status` and `ddc` in Linux `drivers/gpu/drm/drm_sysfs.c`
package struct Connectors: Sendable {
    private let sysfsRoot: String

    package init(sysfsRoot: String) { self.sysfsRoot = sysfsRoot }

    private var directory: String { "\(sysfsRoot)/class/drm" }

    package var all: [Connector] {
        names(in: directory).filter { $0.contains("-") }.sorted().compactMap { connector($0) }
    }

    /// Returns `nil` if it does not exist.
    private func connector(_ name: String) -> Connector? {
        let path = "\(directory)/\(name)"
        guard let edid = contents(of: "\(path)/edid") else { return nil }
        return Connector(
            name: name,
            buses: buses(at: path),
            edid: Array(edid.prefix(128)),
            isConnected: isConnected(at: path),
            isOn: text(of: "\(path)/dpms").map { $0.hasPrefix("On") }
        )
    }

    private func isConnected(at path: String) -> Bool? {
        switch text(of: "\(path)/status") {
        case "connected\n": true
        case "disconnected\n": false
        default: nil
        }
    }

    /// Reads the link to the bus's adapter, or, for DisplayPort's AUX channel, the directory of the adapter.
    private func buses(at path: String) -> Set<Int> {
        let adapter = target(of: "\(path)/ddc").flatMap { $0.split(separator: "/").last }
        let names = names(in: path) + (adapter.map { [String($0)] } ?? [])
        return Set(names.compactMap { $0.hasPrefix("i2c-") ? Int($0.dropFirst(4)) : nil })
    }

    private func text(of path: String) -> String? { contents(of: path).map { String(decoding: $0, as: UTF8.self) } }

    private func contents(of path: String) -> [UInt8]? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var buffer = [UInt8](repeating: 0, count: 1_024)
        let count = read(descriptor, &buffer, buffer.count)
        return count >= 0 ? Array(buffer.prefix(count)) : nil
    }

    private func target(of path: String) -> String? {
        // An array in its place is a null pointer after the call, in a release build of Swift 6.0.3.
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: Int(PATH_MAX)) { buffer in
            let count = buffer.withMemoryRebound(to: CChar.self) { readlink(path, $0.baseAddress!, $0.count) }
            return count < 0 ? nil : String(decoding: buffer.prefix(count), as: UTF8.self)
        }
    }

    private func names(in path: String) -> [String] {
        guard let directory = opendir(path) else { return [] }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { name in
                name.withMemoryRebound(to: CChar.self, capacity: 1) { String(cString: $0) }
            }
            names.append(name)
        }
        return names
    }
}
