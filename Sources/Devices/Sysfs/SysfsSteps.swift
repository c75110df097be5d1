// SPDX-License-Identifier: Apache-2.0
import BrightnessCore

/// The two files by which backlights and LEDs are read and set alike: `max_brightness` and `brightness`.
struct SysfsSteps: Sendable {
    let range: BrightnessRange
    let brightness: SysfsAttribute

    /// Reads `max_brightness`, once.
    ///
    /// - Parameters:
    ///   - minimum: The guard as a fraction, see `BrightnessRange.guardStep`.
    ///   - lowest: The least step of the guard.
    /// - Throws: `.absent` when there is no such device, `.malformed` when it has no maximum of at least 1.
    init(directory: String, minimum: Brightness, lowest: Int = 1) throws(DeviceError) {
        let limit = SysfsAttribute(path: "\(directory)/max_brightness")
        // The kernel counts in `int`.
        let maximum = try limit.number(in: 1...Int(Int32.max))
        guard let range = BrightnessRange(guardedAt: minimum, maximum: maximum, lowest: lowest) else {
            throw .malformed(path: limit.path, text: String(maximum))
        }
        self.range = range
        brightness = SysfsAttribute(path: "\(directory)/brightness")
    }

    /// - Throws: `.absent` when the device is gone, `.malformed` when it shows no step it can have.
    func read() throws(DeviceError) -> Int { try brightness.number(in: 0...range.maximum) }

    func write(_ step: Int) throws(DeviceError) { try brightness.write(step) }
}
