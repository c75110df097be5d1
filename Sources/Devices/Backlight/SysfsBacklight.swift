// SPDX-License-Identifier: Apache-2.0
package import BrightnessCore

/// A kernel backlight: `<root>/class/backlight/<name>/`.
///
/// - Uses `brightness`, the value set in the driver, not `actual_brightness`, which some drivers count in another
///   range. Reading it accesses no hardware; writing it may block in the driver.
/// - It is off unless `bl_power` is 0. It can be switched if that file is writable, except by the driver `acpi_video`,
///   which stores the value and does nothing.
/// - The signal is that of its connector (`PanelConnector`), which is polled (`PanelWatch`).
/// - Changes of the brightness by others arrive as uevents, which distinguish a hotkey from another program. Changes of
///   `bl_power` have no uevent: writes are watched, and changes by the kernel are polled while a client watches.
/// - SeeAlso: Linux `Documentation/ABI/stable/sysfs-class-backlight`, `drivers/video/backlight/backlight.c`
package final class SysfsBacklight: Panel {
    package let id: DisplayID
    package let name: String
    package let kind = DisplayKind.backlight
    package let isCheapToRead = true
    package let isVolatile = false
    package let isSwitchable: Bool
    package let deviceRecord: DeviceRecord
    /// Whether this process had no permission to set or switch it when it was opened.
    let lacksPermission: Bool

    private let device: KernelName
    private let directory: String
    private let steps: SysfsSteps
    private let power: SysfsAttribute
    private let connector: PanelConnector?
    private let watch: PanelWatch

    /// Reads `max_brightness` once.
    ///
    /// - Parameters:
    ///   - device: Its kernel name, such as `intel_backlight`; default: the id.
    ///   - root: The mount point of sysfs.
    ///   - name: The display name; default: the kernel name.
    ///   - minimum: The minimum as a fraction, see `BrightnessRange.minimumStep`.
    ///   - watch: Reports changes by other programs.
    /// - Throws: `.absent` without such a device, `.malformed` without a maximum of at least 1.
    package init(
        _ id: DisplayID,
        device: KernelName? = nil,
        root: String = "/sys",
        name: String? = nil,
        minimum: Brightness = Brightness(clamping: 0),
        watch: PanelWatch = PanelWatch()
    ) throws(DeviceError) {
        let device = device ?? KernelName(id)
        self.device = device
        directory = "\(Self.directory(under: root))/\(device)"
        steps = try SysfsSteps(directory: directory, minimum: minimum)
        power = SysfsAttribute(path: "\(directory)/bl_power")
        connector = PanelConnector(of: directory, root: root)
        let powerRefusal = power.writeRefusal
        isSwitchable = Self.isOn(power) != nil && powerRefusal == nil && !device.text.hasPrefix("acpi_video")
        lacksPermission = [steps.brightness.writeRefusal, powerRefusal].contains {
            if case .permission? = $0 { true } else { false }
        }
        deviceRecord = DeviceRecord(address: "\(kind.rawValue):\(Self.address(of: device, root: root))")
        self.id = id
        self.name = name ?? device.text
        self.watch = watch
    }

    static func directory(under root: String) -> String { "\(root)/class/backlight" }

    package var range: BrightnessRange { steps.range }

    /// - Throws: `.absent` if the device is gone, `.malformed` for a step outside the range.
    package func read() throws(DeviceError) -> Int { try steps.read() }

    package func write(_ step: Int) throws(DeviceError) { try steps.write(step) }

    package func readPower() -> Bool? { Self.isOn(power) }

    package func readSignal() -> Bool? { connector?.hasSignal }

    /// Writes FB_BLANK_UNBLANK or FB_BLANK_POWERDOWN.
    package func writePower(_ isOn: Bool) throws(DeviceError) { try power.write(isOn ? 0 : 4) }

    private static func isOn(_ power: SysfsAttribute) -> Bool? { (try? power.number(in: 0...4)).map { $0 == 0 } }

    /// Why this process cannot set it, checked without writing; `nil` if it can.
    package var writeRefusal: DeviceError? { steps.brightness.writeRefusal }

    package var changes: AsyncStream<Cause.Kind> {
        watch.changes(
            of: KernelDevice(subsystem: "backlight", name: device.text),
            files: [
                // For systems without uevents, such as containers.
                WatchedFile(path: "\(directory)/actual_brightness", trigger: .notice, cause: .external),
                WatchedFile(path: power.path, trigger: .writing, cause: .external),
            ],
            isOnSysfs: steps.brightness.isOnSysfs,
            hasSignal: connector != nil
        )
    }
}
