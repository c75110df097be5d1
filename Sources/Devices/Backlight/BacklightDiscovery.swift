// SPDX-License-Identifier: Apache-2.0
package import BrightnessCore

/// The kernel backlights of this machine.
package struct BacklightDiscovery: Sendable {
    package struct Backlight: Hashable, Sendable {
        package let id: DisplayID
        package let device: KernelName
        package let type: BacklightType
    }

    /// An entry among the backlights that cannot be used.
    package struct Skipped: Hashable, Sendable {
        package let name: String
        package let error: DeviceError
    }

    /// The readable backlights, best type first, then by name.
    package let backlights: [Backlight]
    /// The others, by name.
    package let skipped: [Skipped]
    let ids: DeviceIDs
    /// The backlights of earlier runs that are missing.
    let missing: [DisplayID]

    /// Creates an empty result.
    init() { (backlights, skipped, ids, missing) = ([], [], DeviceIDs(of: []), []) }

    /// Lists `<root>/class/backlight`. A missing directory means no backlights.
    ///
    /// - Parameters:
    ///   - known: Devices to skip.
    ///   - excluded: The ids of backlights to leave out.
    ///   - taken: The ids of other displays.
    ///   - earlier: The backlights of earlier runs, and the address of each.
    /// - Throws: If the directory exists and cannot be listed.
    package init(
        root: String = "/sys",
        skipping known: Set<KernelName> = [],
        excluding excluded: Set<DisplayID> = [],
        taken: Set<DisplayID> = [],
        after earlier: [DisplayID: String] = [:]
    ) throws(DeviceError) {
        var backlights: [Backlight] = []
        var skipped: [Skipped] = []
        let devices = try SysfsDirectory(path: SysfsBacklight.directory(under: root)).devices.filter {
            !known.contains($0)
        }
        let types = Dictionary(uniqueKeysWithValues: devices.map { ($0, Self.type(of: $0, root: root)) })
        let best = types.values.min()
        let carried = CarriedIDs(
            of: Dictionary(uniqueKeysWithValues: devices.map { ($0, SysfsBacklight.address(of: $0, root: root)) }),
            candidates: Set(devices.filter { types[$0] == best }),
            after: earlier.filter { !taken.contains($0.key) }
        )
        missing = carried.missing
        ids = DeviceIDs(of: devices, avoiding: taken, carrying: carried.ids)
        for device in devices {
            guard let id = ids[device], !excluded.contains(id) else { continue }
            do throws(DeviceError) {
                _ = try SysfsBacklight(id, device: device, root: root).read()
                backlights.append(Backlight(id: id, device: device, type: types[device] ?? .unknown))
            } catch {
                skipped.append(Skipped(name: device.text, error: error))
            }
        }
        self.backlights = backlights.sorted { ($0.type, $0.id.text) < ($1.type, $1.id.text) }
        self.skipped = skipped
    }

    private static func type(of device: KernelName, root: String) -> BacklightType {
        let file = SysfsAttribute(path: "\(SysfsBacklight.directory(under: root))/\(device)/type")
        return (try? file.text()).map(BacklightType.init) ?? .unknown
    }
}

/// The driver type of a backlight, best first: the kernel's documents prefer `firmware` to `platform` and `platform` to
/// `raw`.
///
/// - SeeAlso: Linux `Documentation/ABI/stable/sysfs-class-backlight`, `type`
package enum BacklightType: Hashable, Sendable, Comparable, CaseIterable {
    /// Driven by the firmware, such as ACPI.
    case firmware
    /// Driven by the platform's controller.
    case platform
    /// Driven by registers of the graphics chip or of the panel.
    case raw
    /// Not reported by the kernel.
    case unknown

    init(_ text: String) {
        switch text {
        case "firmware": self = .firmware
        case "platform": self = .platform
        case "raw": self = .raw
        default: self = .unknown
        }
    }
}
