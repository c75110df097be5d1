// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import Glibc

/// A light sensor of the kernel's Industrial I/O subsystem, read through sysfs.
///
/// In lux is, the first that there is: `in_illuminance_input`; `(in_illuminance_raw + offset) * scale`; the same of
/// `in_intensity_both`, which has no unit by the ABI, but lux by the convention of those who write HID sensors. All of
/// them may be numbered: `in_illuminance0_input`.
/// - SeeAlso: Linux `Documentation/ABI/testing/sysfs-bus-iio`
struct IIOLightSensor: LightSensor {
    let id: String
    let kind = Ambient.SensorKind.illuminance
    private let channel: IIOChannel

    /// Returns `nil` if the device in `folder` measures no light.
    init?(id: String, in folder: String) {
        guard let channel = IIOChannel(["in_illuminance", "in_illuminance0", "in_intensity_both"], in: folder) else {
            return nil
        }
        self.id = id
        self.channel = channel
    }

    func read() throws(DeviceError) -> SensorReading { .lux(try channel.read()) }
}

/// A proximity sensor of the same subsystem: near is what is at least at the kernel's threshold.
///
/// `in_proximity_raw` grows when something comes nearer; `in_proximity_nearlevel` is where near begins. Without it nobody
/// knows what the numbers mean, and the sensor is not used.
struct IIOProximitySensor: LightSensor {
    let id: String
    let kind = Ambient.SensorKind.proximity
    private let channel: IIOChannel
    private let threshold: Double

    init?(id: String, in folder: String) {
        guard let channel = IIOChannel(["in_proximity", "in_proximity0"], in: folder, isRawOnly: true),
            let threshold = try? SysfsAttribute(path: "\(folder)/in_proximity_nearlevel").decimal()
        else { return nil }
        self.id = id
        self.channel = channel
        self.threshold = threshold
    }

    func read() throws(DeviceError) -> SensorReading { .near(try channel.read() >= threshold) }
}

/// One quantity of a device: processed by the driver, or raw with an offset and a scale.
struct IIOChannel: Sendable {
    private let attribute: SysfsAttribute
    /// `nil` where the number is in its unit already. Read each time: a driver that chooses its own gain changes it.
    private let scale: SysfsAttribute?
    private let offset: SysfsAttribute?

    /// The first channel of these names that there is.
    ///
    /// - Parameter isRawOnly: The number itself is wanted, as thresholds are in it.
    init?(_ names: [String], in folder: String, isRawOnly: Bool = false) {
        func existing(_ files: [String]) -> SysfsAttribute? {
            files.lazy.map { SysfsAttribute(path: "\(folder)/\($0)") }.first(where: \.isThere)
        }
        for name in names {
            if !isRawOnly, let input = existing(["\(name)_input"]) {
                (attribute, scale, offset) = (input, nil, nil)
                return
            }
            guard let raw = existing(["\(name)_raw"]) else { continue }
            attribute = raw
            // What is shared by all channels of a kind has no number.
            let shared = name.last == "0" ? String(name.dropLast()) : name
            let kind = shared == "in_intensity_both" ? ["in_intensity_both", "in_intensity"] : [name, shared]
            scale = isRawOnly ? nil : existing(kind.map { "\($0)_scale" })
            offset = isRawOnly ? nil : existing(kind.map { "\($0)_offset" })
            return
        }
        return nil
    }

    func read() throws(DeviceError) -> Double {
        let number = try attribute.decimal()
        let shift = try offset.map { (offset) throws(DeviceError) in try offset.decimal() } ?? 0
        let factor = try scale.map { (scale) throws(DeviceError) in try scale.decimal() } ?? 1
        return (number + shift) * factor
    }
}

extension SysfsAttribute {
    fileprivate var isThere: Bool { access(path, F_OK) == 0 }

    /// The contents as a number with a sign and decimals, as drivers print it; also `nan` and `inf`, which some do.
    fileprivate func decimal() throws(DeviceError) -> Double {
        let text = try text()
        guard let number = Double(text) else { throw .malformed(path: path, text: text) }
        return number
    }
}
