// SPDX-License-Identifier: Apache-2.0

/// A sensor of light or proximity. Injected, so that tests pass their own.
package protocol LightSensor: Sendable {
    /// Unique on this machine, such as `iio:device0` or `simulated:front`.
    var id: String { get }
    var kind: Ambient.SensorKind { get }
    /// Whether it may see another light than the displays of this machine.
    var isElsewhere: Bool { get }

    /// Returns the current reading. May block for one conversion; called on the sensors' queue.
    func read() throws(DeviceError) -> SensorReading
}

extension LightSensor {
    package var isElsewhere: Bool { false }
}

/// A sensor's unfiltered reading; `AmbientEstimator` decides whether it counts.
package enum SensorReading: Hashable, Sendable {
    /// Any number that a driver may report.
    case lux(Double)
    case near(Bool)
}
