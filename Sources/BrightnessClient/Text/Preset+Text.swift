// SPDX-License-Identifier: Apache-2.0
import BrightnessCore

extension Preset {
    /// One line: the name, and each display with its value.
    func line(_ style: Style) -> String {
        let values = rules.map { "\($0.displays.text)=\($0.value.text)" }
        return "\(style.bold(name.text))  \(values.joined(separator: "  "))"
    }
}

extension PresetValue {
    /// As `brightness presets set` reads it.
    fileprivate var text: String {
        [brightness.map { "\($0.percent)".replacing(" ", with: "") }, isOn.map { $0 ? "on" : "off" }]
            .compactMap(\.self).joined(separator: ",")
    }
}
