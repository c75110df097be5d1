// SPDX-License-Identifier: Apache-2.0
package import BrightnessCore

/// A kernel backlight: `<root>/class/backlight/<name>/`.
///
/// - Decides by `brightness`, what the driver was told, and not by `actual_brightness`, which some drivers count in
///   another range. Reading it asks no hardware; writing it may block in the driver.
/// - With `bl_power` at anything but 0 it is asleep: a brightness that is written then may be lost, so it is not.
/// - Changes by others are heard as uevents, which tell a hotkey from another program.
/// - SeeAlso: Linux `Documentation/ABI/stable/sysfs-class-backlight`, `drivers/video/backlight/backlight.c`
package final class SysfsBacklight: Panel {
    package let id: DisplayID
    package let name: String
    package let kind = DisplayKind.backlight
    package let isCheapToRead = true
    package let isVolatile = false

    private let device: KernelName
    private let directory: String
    private let steps: SysfsSteps
    private let power: SysfsAttribute
    private let watch: PanelWatch

    /// Reads `max_brightness`, once.
    ///
    /// - Parameters:
    ///   - device: Its name in the kernel, such as `intel_backlight`; the id unless it is given.
    ///   - root: Where sysfs is mounted.
    ///   - name: For people; the kernel's name unless it is given.
    ///   - minimum: The guard as a fraction, see `BrightnessRange.guardStep`.
    ///   - watch: How it learns of changes by others.
    /// - Throws: `.absent` when there is no such device, `.malformed` when it has no maximum of at least 1.
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
        self.id = id
        self.name = name ?? device.text
        self.watch = watch
    }

    /// Where the kernel lists backlights.
    static func directory(under root: String) -> String { "\(root)/class/backlight" }

    package var range: BrightnessRange { steps.range }

    /// - Throws: `.absent` when the device is gone, `.malformed` when it shows no step it can have, `.asleep` when it is
    ///   switched off.
    package func read() throws(DeviceError) -> Int {
        let step = try steps.read()
        if isOff { throw .asleep(path: power.path, step: step) }
        return step
    }

    /// Whether it can be used: it can if it is only switched off.
    func look() throws(DeviceError) { _ = try steps.read() }

    package func write(_ step: Int) throws(DeviceError) {
        if isOff { throw .asleep(path: power.path) }
        try steps.write(step)
    }

    /// A backlight whose power cannot be read is on.
    private var isOff: Bool { (try? power.number(in: 1...4)) != nil }

    /// Why this process cannot set it, found out without setting it; `nil` when it can.
    package var writeRefusal: DeviceError? { steps.brightness.writeRefusal }

    package var changes: AsyncStream<Cause.Kind> {
        watch.changes(
            of: KernelDevice(subsystem: "backlight", name: device.text),
            signs: [
                // Where no uevents come, as in a container.
                DeviceSign(path: "\(directory)/actual_brightness", means: .notice, cause: .external),
                DeviceSign(path: power.path, means: .writing, cause: .external),
            ],
            isOnSysfs: steps.brightness.isOnSysfs
        )
    }
}
