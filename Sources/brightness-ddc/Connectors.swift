// SPDX-License-Identifier: Apache-2.0
import Glibc

/// What the kernel knows of the machine's connectors. Asking it reads a file: no monitor is woken by that.
///
/// - SeeAlso: `dpms` and `edid` in Linux `drivers/gpu/drm/drm_sysfs.c`
struct Connectors {
    enum Power {
        case on
        /// The computer sends it no picture, so it sleeps or is about to.
        case asleep
        case unplugged
        /// No connector is known, or none says so.
        case unknown
    }

    let sysfsRoot: String

    /// - Parameter edid: The first 128 bytes of the monitor's.
    func power(of edid: [UInt8]) -> Power {
        var isAnyKnown = false
        for connector in names(in: "\(sysfsRoot)/class/drm") where connector.contains("-") {
            let directory = "\(sysfsRoot)/class/drm/\(connector)"
            guard let found = contents(of: "\(directory)/edid") else { continue }
            // An empty one is a connector with nothing plugged in, or one whose driver has no EDID to show.
            isAnyKnown = isAnyKnown || !found.isEmpty
            guard found.starts(with: edid), !edid.isEmpty else { continue }
            let power = contents(of: "\(directory)/dpms").map { String(decoding: $0, as: UTF8.self) }
            return power.map { $0.hasPrefix("On") ? .on : .asleep } ?? .unknown
        }
        return isAnyKnown ? .unplugged : .unknown
    }

    private func contents(of path: String) -> [UInt8]? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var buffer = [UInt8](repeating: 0, count: 1_024)
        let count = read(descriptor, &buffer, buffer.count)
        return count >= 0 ? Array(buffer.prefix(count)) : nil
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
