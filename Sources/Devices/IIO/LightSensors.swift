// SPDX-License-Identifier: Apache-2.0
package import BrightnessCore

/// The light and proximity sensors of this machine, in the order of their numbers.
///
/// An id is the kernel's, `iio:device0`; of a device that measures both, the proximity has `:proximity` behind it.
package func lightSensors(sysfsRoot root: String = "/sys") -> [any LightSensor] {
    let directory = "\(root)/bus/iio/devices"
    return deviceNumbers(in: directory).flatMap { number -> [any LightSensor] in
        let id = "iio:device\(number)"
        let folder = "\(directory)/\(id)"
        let light = IIOLightSensor(id: id, in: folder)
        let proximity = IIOProximitySensor(id: light == nil ? id : "\(id):proximity", in: folder)
        return [light as (any LightSensor)?, proximity].compactMap { $0 }
    }
}

private func deviceNumbers(in directory: String) -> [Int] {
    let prefix = "iio:device"
    let names = (try? SysfsDirectory(path: directory).names) ?? []
    return names.filter { $0.hasPrefix(prefix) }.compactMap { Int($0.dropFirst(prefix.count)) }.sorted()
}
