// SPDX-License-Identifier: Apache-2.0
package import BrightnessCore

/// The light and proximity sensors of this machine, and whether there are more of them.
package struct SensorFinder: Sendable {
    private let root: String
    private let watch: PanelWatch

    /// - Parameter root: Where sysfs is mounted.
    package init(root: String, watch: PanelWatch) {
        self.root = root
        self.watch = watch
    }

    /// Those that are here now.
    package var sensors: [any LightSensor] { lightSensors(sysfsRoot: root) }

    /// Returns when there is one that is not among these, or the task is cancelled. One that is gone is still waited for by
    /// whoever reads it.
    package func awaitOther(than known: [any LightSensor]) async {
        let ids = Set(known.map(\.id))
        let isOnSysfs = SysfsAttribute(path: root).isOnSysfs
        for await _ in watch.arrivals(in: ["iio"], isOnSysfs: isOnSysfs)
        where sensors.contains(where: { !ids.contains($0.id) }) {
            return
        }
    }
}
