// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import Synchronization

/// The light sensor of a device with a web server, for the estimator. Any thread.
///
/// A reading counts while the device is heard of, and until the device has to repeat it.
final class DeviceSensor: AmbientSensor {
    /// The time for which a reading counts after the device's last byte.
    static let silence: Duration = .seconds(60)
    /// The time for which a reading counts at most. Devices repeat their states at a new connection.
    static let ttl: Duration = .seconds(300)

    private struct Reading {
        let lux: Double
        let at: Instant
        /// When the device last sent anything.
        var heardAt: Instant

        var end: Instant { min(heardAt + DeviceSensor.silence, at + DeviceSensor.ttl) }
    }

    let id: String
    let kind = Ambient.SensorKind.illuminance
    let isRemote = true
    private let now: @Sendable () -> Instant
    private let reading = Mutex<Reading?>(nil)

    /// - Parameter now: Reads the clock, which counts the time in which the machine sleeps.
    init(_ url: LightDeviceURL, now: @escaping @Sendable () -> Instant) {
        id = url.description
        self.now = now
    }

    func read() throws(DeviceError) -> SensorReading {
        let lux = reading.withLock { [now = now()] in $0.flatMap { $0.end > now ? $0.lux : nil } }
        guard let lux else { throw .absent(path: id) }
        return .lux(lux)
    }

    /// - Parameter lux: Any number that the device sends; `nil` if it has no reading.
    func receive(_ lux: Double?, at now: Instant) {
        reading.withLock { $0 = lux.map { Reading(lux: $0, at: now, heardAt: now) } }
    }

    /// Notes that the device has sent something.
    func hear(at now: Instant) {
        reading.withLock { if let end = $0?.end, end > now { $0?.heardAt = now } }
    }

    var end: Instant? { reading.withLock { $0?.end } }
}
