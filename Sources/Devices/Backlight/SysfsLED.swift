// SPDX-License-Identifier: Apache-2.0
package import BrightnessCore

/// A kernel LED: `<root>/class/leds/<name>/`, such as the light of a keyboard, or a screen with an LED driver.
///
/// - The kernel sends no uevent when it is set. Writes of other programs are watched, keys handled by firmware are
///   noticed by `brightness_hw_changed` if the driver has it, and other changes are polled while a client watches.
/// - Step 0 is off and allowed unless a minimum is set: an LED shows no picture.
/// - A `trigger` may set it, too.
/// - SeeAlso: Linux `Documentation/ABI/testing/sysfs-class-led`
package final class SysfsLED: Panel {
    package let id: DisplayID
    package let name: String
    package let kind = DisplayKind.led
    package let isCheapToRead = true
    package let rounds = true
    package let isVolatile = false

    let device: KernelName
    private let directory: String
    private let steps: SysfsSteps
    private let watch: PanelWatch

    /// Reads `max_brightness` once. The parameters are those of `SysfsBacklight`.
    package init(
        _ id: DisplayID,
        device: KernelName? = nil,
        root: String = "/sys",
        minimum: Brightness = Brightness(clamping: 0),
        watch: PanelWatch = PanelWatch()
    ) throws(DeviceError) {
        let device = device ?? KernelName(id)
        self.device = device
        directory = "\(Self.directory(under: root))/\(device)"
        steps = try SysfsSteps(directory: directory, minimum: minimum, lowest: 0)
        self.id = id
        name = device.text
        self.watch = watch
    }

    static func directory(under root: String) -> String { "\(root)/class/leds" }

    package var range: BrightnessRange { steps.range }

    package func read() throws(DeviceError) -> Int { try steps.read() }

    package func write(_ step: Int) throws(DeviceError) { try steps.write(step) }

    /// Why this process cannot set it, checked without writing; `nil` if it can.
    var writeRefusal: DeviceError? { steps.brightness.writeRefusal }

    /// The active kernel trigger, such as `heartbeat`; `nil` for none.
    package var trigger: String? {
        let list = try? SysfsAttribute(path: "\(directory)/trigger").text(within: 16_384)
        // Every trigger, the active one in brackets: "none [timer] heartbeat".
        let chosen = list?.split(separator: " ").first { $0.hasPrefix("[") && $0.hasSuffix("]") }
        return chosen.flatMap { $0 == "[none]" ? nil : String($0.dropFirst().dropLast()) }
    }

    package var changes: AsyncStream<Cause.Kind> {
        watch.changes(
            of: KernelDevice(subsystem: "leds", name: device.text),
            files: [
                WatchedFile(path: "\(directory)/brightness_hw_changed", trigger: .notice, cause: .hotkey),
                WatchedFile(path: steps.brightness.path, trigger: .writing, cause: .external),
            ],
            isOnSysfs: steps.brightness.isOnSysfs
        )
    }
}
