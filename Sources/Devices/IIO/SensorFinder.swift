// SPDX-License-Identifier: Apache-2.0
package import BrightnessCore

/// Finds the light and proximity sensors of this machine.
package struct SensorFinder: Sendable {
    private let root: String
    private let watch: PanelWatch

    /// - Parameter root: The mount point of sysfs.
    package init(root: String, watch: PanelWatch) {
        self.root = root
        self.watch = watch
    }

    /// The current sensors.
    package var sensors: [any LightSensor] { lightSensors(sysfsRoot: root) }

    /// Returns when a sensor appears that is not in `known`, or when the task is cancelled.
    ///
    /// A known sensor that was removed and comes back does not count: its reader waits for it.
    package func awaitOther(than known: [any LightSensor]) async {
        let ids = Set(known.map(\.id))
        let isOnSysfs = SysfsAttribute(path: root).isOnSysfs
        for await _ in watch.arrivals(in: ["iio"], isOnSysfs: isOnSysfs)
        where sensors.contains(where: { !ids.contains($0.id) }) {
            return
        }
    }
}

/// Returns the light and proximity sensors of this machine, in the order of their numbers.
///
/// A sensor has the id that the kernel gives its device, such as `iio:device0`. If a device measures both light and
/// proximity, the id of its proximity sensor ends with `:proximity`.
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
