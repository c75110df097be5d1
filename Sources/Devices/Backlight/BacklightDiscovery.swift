// SPDX-License-Identifier: Apache-2.0
package import BrightnessCore
import Glibc

/// The kernel backlights of this machine at one moment.
package struct BacklightDiscovery: Sendable {
    package struct Backlight: Hashable, Sendable {
        package let id: DisplayID
        package let type: BacklightType
    }

    /// Something among the backlights that cannot be used as one.
    package struct Skipped: Hashable, Sendable {
        package enum Reason: Hashable, Sendable {
            /// Its name is no `DisplayID`.
            case name
            case unreadable(DeviceError)
        }

        package let name: String
        package let reason: Reason
    }

    /// Those whose range and step can be read, best type first, then by name.
    package let backlights: [Backlight]
    /// By name.
    package let skipped: [Skipped]

    /// None.
    init() { (backlights, skipped) = ([], []) }

    /// Looks under `<root>/class/backlight`. That there is no such directory means that there are no backlights.
    ///
    /// - Throws: When the directory is there and cannot be listed.
    package init(root: String = "/sys") throws(DeviceError) {
        var backlights: [Backlight] = []
        var skipped: [Skipped] = []
        for name in try Self.entries(of: SysfsBacklight.directory(under: root)).sorted() {
            guard let id = DisplayID(name) else {
                skipped.append(Skipped(name: name, reason: .name))
                continue
            }
            do throws(DeviceError) {
                _ = try SysfsBacklight(id, root: root).read()
                backlights.append(Backlight(id: id, type: Self.type(of: id, root: root)))
            } catch {
                skipped.append(Skipped(name: name, reason: .unreadable(error)))
            }
        }
        self.backlights = backlights.sorted { ($0.type, $0.id.text) < ($1.type, $1.id.text) }
        self.skipped = skipped
    }

    private static func type(of id: DisplayID, root: String) -> BacklightType {
        let file = SysfsAttribute(path: "\(SysfsBacklight.directory(under: root))/\(id.text)/type")
        return (try? file.text()).map(BacklightType.init) ?? .unknown
    }

    /// The names in a directory, in no order.
    private static func entries(of path: String) throws(DeviceError) -> [String] {
        guard let directory = opendir(path) else {
            let error = DeviceError(errno: errno, path: path)
            if case .absent = error { return [] }
            throw error
        }
        defer { closedir(directory) }
        var names: [String] = []
        errno = 0
        while let entry = readdir(directory) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { name in
                // A C array arrives as a tuple, of which the record may hold only a part: up to the zero.
                name.withMemoryRebound(to: CChar.self, capacity: 1) { String(cString: $0) }
            }
            if name != "." && name != ".." { names.append(name) }
            errno = 0
        }
        guard errno == 0 else { throw DeviceError(errno: errno, path: path) }
        return names
    }
}
