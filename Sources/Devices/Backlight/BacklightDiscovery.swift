// SPDX-License-Identifier: Apache-2.0
package import BrightnessCore

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
    /// - Parameter excluded: Those that are not looked at.
    /// - Throws: When the directory is there and cannot be listed.
    package init(root: String = "/sys", excluding excluded: Set<DisplayID> = []) throws(DeviceError) {
        var backlights: [Backlight] = []
        var skipped: [Skipped] = []
        for name in try SysfsDirectory(path: SysfsBacklight.directory(under: root)).names {
            guard let id = DisplayID(name) else {
                skipped.append(Skipped(name: name, reason: .name))
                continue
            }
            if excluded.contains(id) { continue }
            do throws(DeviceError) {
                try SysfsBacklight(id, root: root).look()
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
}
