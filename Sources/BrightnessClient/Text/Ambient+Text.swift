// SPDX-License-Identifier: Apache-2.0
import BrightnessCore

extension Ambient {
    /// One line, one more for each sensor, and the advice if there is any.
    func description(_ style: Style) -> String {
        // A server may send any number.
        let percent = level.map { "\(Int((min(max($0, 0), 1) * 100).rounded())) %" }
        let value = illuminance?.text ?? percent ?? "unknown"
        let word = appearance.map { ", \($0.rawValue)" } ?? ""
        let estimate = source == .brightness ? ", estimated" : ""
        let width = (sensors.map(\.id.count).max() ?? 0) + 2
        let lines = sensors.map { sensor in
            "  \(sensor.id)\(String(repeating: " ", count: width - sensor.id.count))\(sensor.text)"
        }
        return ([style.bold(value) + word + estimate] + lines + [tip].compactMap(\.self)).joined(separator: "\n")
    }
}

extension Ambient.SensorState {
    fileprivate var text: String {
        switch condition {
        case .stale: return "does not answer"
        case .impossible: return "reads only 0 or impossible values"
        case .live: break
        }
        if let isNear { return isNear ? "somebody is near" : "nobody is near" }
        return illuminance?.text ?? "unknown"
    }
}

extension Illuminance {
    /// The largest number that is shown, brighter than the sun.
    private static let mostShown = 1e6

    fileprivate var text: String {
        lux < 10 ? "\((lux * 10).rounded() / 10) lx" : "\(Int(min(lux, Self.mostShown).rounded())) lx"
    }
}
