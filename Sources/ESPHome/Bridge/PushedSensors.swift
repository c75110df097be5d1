// SPDX-License-Identifier: Apache-2.0
package import BrightnessCore
import Support
import Synchronization

/// Sensors of light and presence whose states Home Assistant pushes. Any thread.
///
/// The newest state of an entity counts while a client that pushes states is connected.
package final class PushedSensors: SensorSource {
    /// The maximum number of entities.
    package static let limit = 16

    /// An entity's state; `nil` for one without a reading, such as `unavailable`.
    private let readings = Mutex<[PushedEntity: SensorReading]>([:])
    private let kinds: [PushedEntity: Ambient.SensorKind]
    /// In the order in which they are reported.
    let entities: [PushedEntity]
    private let poster: NotificationPoster

    /// - Parameters:
    ///   - light: Entities whose state is a number in lux.
    ///   - presence: Entities whose state is `on` while somebody is there.
    package init(light: [PushedEntity], presence: [PushedEntity], poster: NotificationPoster) {
        var kinds: [PushedEntity: Ambient.SensorKind] = [:]
        for entity in light { kinds[entity] = .illuminance }
        for entity in presence { kinds[entity] = .proximity }
        self.kinds = kinds
        entities = light + presence
        self.poster = poster
    }

    package func sensors(at now: Instant) -> [any AmbientSensor]? {
        entities.compactMap { entity in kinds[entity].map { PushedSensor(entity: entity, kind: $0, source: self) } }
    }

    /// Whether one of them is a light sensor, with a reading or without.
    var hasLight: Bool { kinds.values.contains(.illuminance) }

    /// Notes a state. One of an entity that nobody asked for is ignored.
    func receive(_ state: String, of entity: String) {
        guard let entity = PushedEntity(entity), let kind = kinds[entity] else { return }
        let reading: SensorReading? =
            switch kind {
            case .illuminance: Double(state).flatMap { Illuminance(lux: $0) }.map { .lux($0.lux) }
            case .proximity: ["on": true, "off": false][state].map { .near($0) }
            }
        let hasChanged = readings.withLock { readings in
            defer { readings[entity] = reading }
            return readings[entity] != reading
        }
        if hasChanged { poster.post(.sensors) }
    }

    /// Forgets every state: nobody pushes changes any more.
    func forget() {
        if !readings.exchange([:]).isEmpty { poster.post(.sensors) }
    }

    fileprivate func reading(of entity: PushedEntity) -> SensorReading? { readings.withLock { $0[entity] } }
}

/// Decides when pushed states are forgotten. Rules only; time is an argument.
struct PushGrace {
    /// The time for which they count after the last client that pushes has left: for a reconnect.
    static let duration: Duration = .seconds(30)

    private var isPushing = false
    /// When they are forgotten, unless a client pushes again; `nil` for no such time.
    private(set) var end: Instant?

    /// Notes whether a client pushes states now. Returns whether they are to be forgotten.
    mutating func update(isPushing: Bool, at now: Instant) -> Bool {
        if isPushing != self.isPushing { end = isPushing ? nil : now + Self.duration }
        self.isPushing = isPushing
        guard let end, end <= now else { return false }
        self.end = nil
        return true
    }
}

private struct PushedSensor: AmbientSensor {
    let entity: PushedEntity
    let kind: Ambient.SensorKind
    let source: PushedSensors
    var isRemote: Bool { true }

    /// Differs from the id of every other sensor.
    var id: String { "home-assistant:\(entity.text)" }

    func read() throws(DeviceError) -> SensorReading {
        guard let reading = source.reading(of: entity) else { throw .absent(path: id) }
        return reading
    }
}

/// The id of an entity of Home Assistant, such as `sensor.desk_illuminance`.
package struct PushedEntity: Hashable, Sendable {
    package let text: String

    /// Returns `nil` for anything but two words of lower-case letters, digits and `_` with a dot between them.
    package init?(_ text: String) {
        let words = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard text.utf8.count <= 128, words.count == 2,
            words.allSatisfy({ word in
                !word.isEmpty && word.allSatisfy { $0.isLowercaseOrDigit || $0 == UInt8(ascii: "_") }
            })
        else { return nil }
        self.text = text
    }
}
