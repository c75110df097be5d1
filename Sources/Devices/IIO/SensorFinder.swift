// SPDX-License-Identifier: Apache-2.0
package import BrightnessCore
import Synchronization

/// The light and proximity sensors of this machine's kernel. Any thread.
package final class SensorFinder: SensorSource {
    private let root: String
    private let watch: PanelWatch
    private let poster: NotificationPoster
    private let known: Mutex<[any AmbientSensor]>

    /// - Parameter root: The mount point of sysfs.
    package init(root: String, watch: PanelWatch, poster: NotificationPoster) {
        self.root = root
        self.watch = watch
        self.poster = poster
        known = Mutex(iioSensors(sysfsRoot: root))
    }

    package func sensors(at now: Instant) -> [any AmbientSensor]? { known.withLock { $0 } }

    /// When a sensor arrives, all are opened again. Until then a removed one stays: its reader waits for it.
    package func watch<C: Clock<Duration>>(on clock: C) async where C.Instant == Instant {
        let isOnSysfs = SysfsAttribute(path: root).isOnSysfs
        for await _ in watch.arrivals(in: ["iio"], isOnSysfs: isOnSysfs) {
            let found = iioSensors(sysfsRoot: root)
            let hasArrived = known.withLock { known in
                // The kernel may give a number to a sensor of another kind.
                let isNew = found.map { new in !known.contains { $0.id == new.id && $0.kind == new.kind } }
                guard isNew.contains(true) else { return false }
                known = found
                return true
            }
            if hasArrived { poster.post(.sensors) }
        }
    }
}

/// Returns the light and proximity sensors of this machine, in the order of their numbers.
///
/// A sensor has the id that the kernel gives its device, such as `iio:device0`. If a device measures both light and
/// proximity, the id of its proximity sensor ends with `:proximity`.
func iioSensors(sysfsRoot root: String = "/sys") -> [any AmbientSensor] {
    let directory = "\(root)/bus/iio/devices"
    return SysfsDirectory(path: directory).numbers(after: "iio:device").flatMap { number -> [any AmbientSensor] in
        let id = "iio:device\(number)"
        let folder = "\(directory)/\(id)"
        let light = IIOLightSensor(id: id, in: folder)
        let proximity = IIOProximitySensor(id: light == nil ? id : "\(id):proximity", in: folder)
        return [light as (any AmbientSensor)?, proximity].compactMap { $0 }
    }
}
