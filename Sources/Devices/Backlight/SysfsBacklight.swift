// SPDX-License-Identifier: Apache-2.0
package import BrightnessCore

/// A kernel backlight: `<root>/class/backlight/<name>/`.
///
/// - Decides by `brightness`, what the driver was told, and not by `actual_brightness`, which some drivers count in
///   another range. Reading it asks no hardware; writing it may block in the driver.
/// - Changes by others are found by looking once a second. The kernel's uevents, which also tell a hotkey from another
///   program, are not listened to yet.
/// - SeeAlso: Linux `Documentation/ABI/stable/sysfs-class-backlight`, `drivers/video/backlight/backlight.c`
package final class SysfsBacklight: Panel {
    static let lookInterval: Duration = .seconds(1)

    package let id: DisplayID
    package let name: String
    package let kind = DisplayKind.backlight
    package let range: BrightnessRange
    package let isCheapToRead = true
    package let isVolatile = false

    private let brightness: SysfsAttribute
    private let clock: any Clock<Duration>

    /// Reads `max_brightness`, once.
    ///
    /// - Parameters:
    ///   - id: The kernel's device name, such as `intel_backlight`.
    ///   - root: Where sysfs is mounted.
    ///   - name: For people; the device name unless said.
    ///   - minimum: The guard as a fraction, see `BrightnessRange.guardStep`.
    ///   - clock: What the looking for changes sleeps on.
    /// - Throws: `.absent` when there is no such device, `.malformed` when it has no maximum of at least 1.
    package init(
        _ id: DisplayID,
        root: String = "/sys",
        name: String? = nil,
        minimum: Brightness = Brightness(clamping: 0),
        clock: any Clock<Duration> = ContinuousClock()
    ) throws(DeviceError) {
        let directory = "\(Self.directory(under: root))/\(id.text)"
        let limit = SysfsAttribute(path: "\(directory)/max_brightness")
        // The kernel counts in `int`.
        let maximum = try limit.number(in: 1...Int(Int32.max))
        let guardStep = BrightnessRange.guardStep(for: minimum, maximum: maximum)
        guard let range = BrightnessRange(minimum: guardStep, maximum: maximum) else {
            throw .malformed(path: limit.path, text: String(maximum))
        }
        self.id = id
        self.name = name ?? id.text
        self.range = range
        self.clock = clock
        brightness = SysfsAttribute(path: "\(directory)/brightness")
    }

    /// Where the kernel lists backlights.
    static func directory(under root: String) -> String { "\(root)/class/backlight" }

    /// - Throws: `.absent` when the device is gone, `.malformed` when it shows no step it can have.
    package func read() throws(DeviceError) -> Int { try brightness.number(in: 0...range.maximum) }

    package func write(_ step: Int) throws(DeviceError) { try brightness.write(step) }

    /// Why this process cannot set it, found out without setting it; `nil` when it can.
    package var writeRefusal: DeviceError? { brightness.writeRefusal }

    /// One look a second while somebody reads the stream, until the panel is let go or the reading task is cancelled.
    package var changes: AsyncStream<Cause.Kind> {
        AsyncStream { [weak self, clock] in
            guard (try? await clock.sleep(for: Self.lookInterval)) != nil, self != nil else { return nil }
            return .external
        }
    }
}
