// SPDX-License-Identifier: Apache-2.0

/// A thing that measures light, or whether something is near it: the only way the core knows a sensor. Injected, so a
/// test passes its own.
package protocol LightSensor: Sendable {
    /// Unique on this machine, such as `iio:device0` or `simulated:front`.
    var id: String { get }
    var kind: Ambient.SensorKind { get }

    /// What it says now. May block for one conversion; called on the sensors' queue.
    func read() throws(DeviceError) -> SensorReading
}

/// What a sensor said, believed or not: `AmbientEstimator` judges.
package enum SensorReading: Hashable, Sendable {
    /// Any number a driver may give.
    case lux(Double)
    case near(Bool)
}
