// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import Support

/// The ids of backlights that the kernel has renamed since an earlier run, such as from `amdgpu_bl0` to `amdgpu_bl1`.
///
/// A backlight keeps its id if it is at the same address, or if it is the only new one and only one is missing.
struct CarriedIDs: Sendable {
    private(set) var ids: [KernelName: DisplayID] = [:]
    /// The ids of earlier runs without a backlight, sorted.
    private(set) var missing: [DisplayID] = []

    /// - Parameters:
    ///   - devices: The backlights without a display, and the address of each; empty if it is unknown.
    ///   - candidates: Those among them that may be a renamed one.
    ///   - earlier: The ids of earlier runs without a display, and the address of each.
    init(of devices: [KernelName: String], candidates: Set<KernelName>, after earlier: [DisplayID: String]) {
        // The same address, which no other backlight and no other earlier id has.
        for (device, address) in devices where !address.isEmpty && devices.values.count(where: { $0 == address }) == 1 {
            let same = earlier.filter { $0.value == address }.map(\.key)
            if same.count == 1 { ids[device] = same[0] }
        }
        let carried = Set(ids.values)
        // The same name.
        let unchanged = devices.keys.filter { device in
            guard ids[device] == nil, let id = DisplayID(device.text) else { return false }
            return earlier[id] != nil && !carried.contains(id)
        }
        let present = carried.union(unchanged.compactMap { DisplayID($0.text) })
        missing = earlier.keys.filter { !present.contains($0) }.sorted { $0.text < $1.text }
        // The only new one, for the only missing one.
        let new = candidates.filter { ids[$0] == nil && !unchanged.contains($0) }
        if missing.count == 1, new.count == 1, let device = new.first { ids[device] = missing.removeLast() }
    }
}

extension SysfsBacklight {
    /// The device that a backlight belongs to, without the numbers of graphics cards, which differ from boot to boot.
    /// Empty if the kernel does not state it.
    static func address(of device: KernelName, root: String) -> String {
        let link = linkTarget(of: "\(directory(under: root))/\(device)") ?? ""
        let parts = link.split(separator: "/").filter { $0 != ".." }.dropLast().map(withoutCard)
        return parts.filter { !["devices", "drm", "backlight", ""].contains($0) }.joined(separator: "/")
    }

    /// `eDP-1` of `card1-eDP-1`, and nothing of `card1`.
    private static func withoutCard(_ part: Substring) -> Substring {
        let digits = part.dropFirst(4).prefix { $0.isNumber }
        guard part.hasPrefix("card"), !digits.isEmpty else { return part }
        let rest = part.dropFirst(4 + digits.count)
        return rest.isEmpty || rest.hasPrefix("-") ? rest.dropFirst() : part
    }
}
