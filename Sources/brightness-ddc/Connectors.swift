// SPDX-License-Identifier: Apache-2.0
import Glibc

/// The state of one connector of the machine.
struct Connector {
    let name: String
    /// The I2C buses of its monitor; empty if the driver does not report them.
    let buses: Set<Int>
    /// The first 128 bytes of the kernel's EDID: the monitor's, or one given by a person (`drm.edid_firmware`). Empty
    /// without a monitor, or if the driver has none.
    let edid: [UInt8]
    let isDisconnected: Bool
    /// Whether it has a signal; without one its monitor sleeps. `nil` if unknown.
    let isOn: Bool?
}

/// Reads connectors from the kernel's files, which wakes no monitor.
///
/// - SeeAlso: `dpms`, `edid`, `status` and `ddc` in Linux `drivers/gpu/drm/drm_sysfs.c`
struct Connectors {
    let sysfsRoot: String

    private var directory: String { "\(sysfsRoot)/class/drm" }

    var all: [Connector] { names(in: directory).filter { $0.contains("-") }.sorted().compactMap { connector($0) } }

    /// Returns `nil` if it does not exist.
    func connector(_ name: String) -> Connector? {
        let path = "\(directory)/\(name)"
        guard let edid = contents(of: "\(path)/edid") else { return nil }
        return Connector(
            name: name,
            buses: buses(at: path),
            edid: Array(edid.prefix(128)),
            isDisconnected: text(of: "\(path)/status")?.hasPrefix("disconnected") ?? false,
            isOn: text(of: "\(path)/dpms").map { $0.hasPrefix("On") }
        )
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
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink(path, &buffer, buffer.count)
        guard count >= 0 else { return nil }
        return String(decoding: buffer.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self)
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
