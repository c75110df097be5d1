// SPDX-License-Identifier: Apache-2.0
package import BrightnessCore

/// A kernel backlight: `<root>/class/backlight/<name>/`.
///
/// - Uses `brightness`, the value set in the driver, not `actual_brightness`, which some drivers count in another
///   range. Reading it accesses no hardware; writing it may block in the driver.
/// - It is asleep unless `bl_power` is 0. Nothing is written then, since the write might be lost.
/// - Changes by others arrive as uevents, which distinguish a hotkey from another program.
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
        self.id = id
        self.name = name ?? device.text
        self.watch = watch
    }

    /// The directory of backlights.
    static func directory(under root: String) -> String { "\(root)/class/backlight" }

    package var range: BrightnessRange { steps.range }

    /// - Throws: `.absent` if the device is gone, `.malformed` for a step outside the range, `.asleep` if it is off.
    package func read() throws(DeviceError) -> Int {
        let step = try steps.read()
        if isOff { throw .asleep(path: power.path, step: step) }
        return step
    }

    /// Throws unless it can be read; a backlight that is off can.
    func check() throws(DeviceError) { _ = try steps.read() }

    package func write(_ step: Int) throws(DeviceError) {
        if isOff { throw .asleep(path: power.path) }
        try steps.write(step)
    }

    /// A backlight without a readable power state counts as on.
    private var isOff: Bool { (try? power.number(in: 1...4)) != nil }

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
            isOnSysfs: steps.brightness.isOnSysfs
        )
    }
}
