// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
package import Documents

/// The light in the room, as people read it.
package struct RoomLight {
    private let source: Ambient.Source
    private let lux: Double?
    private let level: Double?
    private let appearance: Appearance?
    private let sensors: [(id: String, text: String)]

    /// The document of `GET /v1/ambient`.
    package init?(reading json: JSONNode) {
        guard let source: Ambient.Source = json["source"]?.word(), let sensors = json["sensors"]?.elements else {
            return nil
        }
        self.source = source
        lux = json["illuminance"]?.number
        level = json["level"]?.number
        appearance = json["appearance"]?.word()
        self.sensors = sensors.compactMap { sensor in
            sensor["id"]?.text.map { ($0, Self.text(of: sensor)) }
        }
    }

    /// One line, and one more for each sensor.
    package func description(_ style: Style) -> String {
        let value = lux.map { Self.text(ofLux: $0) } ?? level.map { "\(Int(($0 * 100).rounded())) %" } ?? "unknown"
        let word = appearance.map { ", \($0.rawValue)" } ?? ""
        let estimate = source == .brightness ? ", estimated: there is no light sensor" : ""
        let width = (sensors.map(\.id.count).max() ?? 0) + 2
        let lines = sensors.map { id, text in "  \(id)\(String(repeating: " ", count: width - id.count))\(text)" }
        return ([style.bold(value) + word + estimate] + lines).joined(separator: "\n")
    }

    private static func text(of sensor: JSONNode) -> String {
        let condition: Ambient.SensorCondition? = sensor["condition"]?.word()
        switch condition {
        case .stale: return "does not answer"
        case .impossible: return "its readings are implausible"
        case .live, nil: break
        }
        if let isNear = sensor["near"]?.bool { return isNear ? "somebody is near" : "nobody is near" }
        return sensor["illuminance"]?.number.map { text(ofLux: $0) } ?? "unknown"
    }

    private static func text(ofLux lux: Double) -> String {
        lux < 10 ? "\((lux * 10).rounded() / 10) lx" : "\(Int(lux.rounded())) lx"
    }
}
