// SPDX-License-Identifier: Apache-2.0
package import BrightnessCore

/// The kernel backlights of this machine at one moment.
package struct BacklightDiscovery: Sendable {
    package struct Backlight: Hashable, Sendable {
        package let id: DisplayID
        package let device: KernelName
        package let type: BacklightType
    }

    /// Something among the backlights that cannot be used as one.
    package struct Skipped: Hashable, Sendable {
        package let name: String
        package let error: DeviceError
    }

    /// Those whose range and step can be read, best type first, then by name.
    package let backlights: [Backlight]
    /// By name.
    package let skipped: [Skipped]
    /// Of all that are listed.
    let ids: DeviceIDs

    /// None.
    init() { (backlights, skipped, ids) = ([], [], DeviceIDs(of: [])) }

    /// Looks under `<root>/class/backlight`. That there is no such directory means that there are no backlights.
    ///
    /// - Parameters:
    ///   - known: Devices that are not looked at.
    ///   - excluded: Ids of devices that are not looked at.
    ///   - taken: Ids that other displays have.
    /// - Throws: When the directory is there and cannot be listed.
    package init(
        root: String = "/sys",
        skipping known: Set<KernelName> = [],
        excluding excluded: Set<DisplayID> = [],
        taken: Set<DisplayID> = []
    ) throws(DeviceError) {
        var backlights: [Backlight] = []
        var skipped: [Skipped] = []
        let devices = try SysfsDirectory(path: SysfsBacklight.directory(under: root)).devices.filter {
            !known.contains($0)
        }
        ids = DeviceIDs(of: devices, besides: taken)
        for device in devices {
            guard let id = ids[device], !excluded.contains(id) else { continue }
            do throws(DeviceError) {
                try SysfsBacklight(id, device: device, root: root).look()
                backlights.append(Backlight(id: id, device: device, type: Self.type(of: device, root: root)))
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

/// How a backlight is driven, best first: when one panel has several, the kernel's documents prefer `firmware` to
/// `platform` and `platform` to `raw`.
///
/// - SeeAlso: Linux `Documentation/ABI/stable/sysfs-class-backlight`, `type`
package enum BacklightType: Hashable, Sendable, Comparable, CaseIterable {
    /// By the firmware, such as ACPI.
    case firmware
    /// By the platform's own controller.
    case platform
    /// By the registers of the graphics chip or of the panel.
    case raw
    /// The kernel does not say.
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
