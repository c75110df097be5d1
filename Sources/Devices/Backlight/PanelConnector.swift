// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import Support

/// The connector of a backlight's panel, such as `<root>/class/drm/card1-eDP-1`. Its file `dpms` states whether the
/// panel has a signal: a compositor may blank a screen whose backlight stays on. Reading it accesses no hardware.
///
/// - SeeAlso: `dpms_show` in Linux `drivers/gpu/drm/drm_sysfs.c`
struct PanelConnector: Sendable {
    /// The kernel's names of connectors inside a machine.
    private static let internalKinds = ["eDP-", "LVDS-", "DSI-", "DPI-"]

    let dpms: SysfsAttribute

    /// Finds the connector that the backlight is a device of. For a driver that does not state it, that is the only
    /// connector inside the machine.
    ///
    /// - Parameters:
    ///   - backlight: The directory of the backlight.
    ///   - root: The mount point of sysfs.
    init?(of backlight: String, root: String) {
        let directory = "\(root)/class/drm"
        guard let name = Self.parent(of: backlight) ?? Self.onlyInternal(in: directory) else { return nil }
        dpms = SysfsAttribute(path: "\(directory)/\(name)/dpms")
        if hasSignal == nil { return nil }
    }

    /// `nil` if it cannot be read.
    var hasSignal: Bool? { (try? dpms.text()).map { $0 == "On" } }

    private static func parent(of backlight: String) -> String? {
        let device = linkTarget(of: "\(backlight)/device")?.split(separator: "/").last
        return device.flatMap { kind(of: $0) == nil ? nil : String($0) }
    }

    private static func onlyInternal(in directory: String) -> String? {
        let names = SysfsDirectory(path: directory).names
        let own = names.filter { name in
            guard let kind = kind(of: name[...]), internalKinds.contains(where: { kind.hasPrefix($0) })
            else { return false }
            return (try? SysfsAttribute(path: "\(directory)/\(name)/status").text()) == "connected"
        }
        return own.count == 1 ? own.first : nil
    }

    /// Such as `eDP-1` of `card1-eDP-1`; `nil` for a name that is not a connector's.
    private static func kind(of name: Substring) -> Substring? {
        guard name.hasPrefix("card"), let dash = name.firstIndex(of: "-") else { return nil }
        return name[dash...].dropFirst()
    }
}
