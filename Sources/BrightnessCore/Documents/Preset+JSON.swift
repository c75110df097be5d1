// SPDX-License-Identifier: Apache-2.0

/// The document of `GET /v1/presets/{name}` and of `preset` events.
extension Preset: KeptRecord {
    package static let kind = "preset"
    package var key: String { name.text }

    package func write(to json: inout JSONWriter) {
        json.member("name", name.text)
        json.member("displays", raw: rulesJSON)
    }

    /// An object with the value of each rule's displays.
    package var rulesJSON: [UInt8] {
        JSONWriter.object { json in
            for rule in rules {
                json.name(any: rule.displays.text)
                json.value(rule.value)
            }
        }
    }

    /// The document of `GET /v1/presets`.
    package static func collection(_ presets: [Preset]) -> [UInt8] {
        JSONWriter.object { $0.member("presets", presets) }
    }

    /// Rules that this version does not understand are left out.
    package init?(reading json: JSONNode) {
        guard let name = json["name"]?.string.flatMap({ ResourceName($0) }), let members = json["displays"]?.members
        else { return nil }
        let rules = members.compactMap { key, value -> Rule? in
            guard let displays = PresetDisplays(key),
                let value = PresetValue(brightness: value["brightness"]?.brightness, isOn: value["on"]?.bool)
            else { return nil }
            return Rule(displays, value)
        }
        self.init(name, rules)
    }

    /// Reads `GET /v1/presets`.
    package static func read(_ json: JSONNode) -> [Preset]? {
        json["presets"]?.elements?.compactMap { Preset(reading: $0) }
    }
}

extension PresetValue: Document {
    package func write(to json: inout JSONWriter) {
        if let brightness { json.member("brightness", decimal: brightness.fraction) }
        if let isOn { json.member("on", isOn) }
    }
}
