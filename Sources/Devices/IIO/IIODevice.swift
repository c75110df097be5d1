// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import Glibc

/// A light sensor of the kernel's Industrial I/O subsystem, read through sysfs.
///
/// The illuminance in lux is the first of: `in_illuminance_input`; `(in_illuminance_raw + offset) * scale`; the same of
/// `in_intensity_both`, which has no unit in the ABI, but is lux by the convention of HID sensors. All of them may be
/// numbered: `in_illuminance0_input`.
/// - SeeAlso: Linux `Documentation/ABI/testing/sysfs-bus-iio`
struct IIOLightSensor: AmbientSensor {
    let id: String
    let kind = Ambient.SensorKind.illuminance
    private let channel: IIOChannel

    /// Returns `nil` if the device in `folder` has no light channel.
    init?(id: String, in folder: String) {
        guard let channel = IIOChannel(["in_illuminance", "in_illuminance0", "in_intensity_both"], in: folder) else {
            return nil
        }
        self.id = id
        self.channel = channel
    }

    func read() throws(DeviceError) -> SensorReading { .lux(try channel.read()) }
}

/// A proximity sensor of the same subsystem: an object is near from the kernel's threshold on.
///
/// `in_proximity_raw` grows as an object approaches; `in_proximity_nearlevel` is the threshold. Without a threshold the
/// sensor is not used.
struct IIOProximitySensor: AmbientSensor {
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
    /// `nil` for a processed value. Read each time: drivers with automatic gain change it.
    private let scale: SysfsAttribute?
    private let offset: SysfsAttribute?

    /// The first existing channel of these names.
    ///
    /// - Parameter isRawOnly: Ignores the scale: thresholds are raw numbers.
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
            // Attributes shared by all channels of a kind have no number.
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

    /// Reads a decimal number with sign and fraction; also `nan` and `inf`, which some drivers print.
    fileprivate func decimal() throws(DeviceError) -> Double {
        let text = try text()
        guard let number = Double(text) else { throw .malformed(path: path, text: text) }
        return number
    }
}
