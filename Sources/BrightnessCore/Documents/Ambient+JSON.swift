// SPDX-License-Identifier: Apache-2.0

/// The document of `GET /v1/ambient` and of `ambient` events.
extension Ambient: Document {
    package func write(to json: inout JSONWriter) {
        json.member("source", source.rawValue)
        json.member("illuminance", decimal: illuminance?.lux)
        json.member("level", decimal: level)
        json.member("appearance", appearance?.rawValue)
        json.member("sensors", sensors)
        json.member("at", at)
        if let tip { json.member("tip", tip) }
    }

    /// The advice to people; `nil` without any.
    package var tip: String? {
        if source == .brightness { return Self.standInTip }
        let isImplausible = illuminance == nil && sensors.contains { $0.condition == .impossible }
        return isImplausible ? Self.implausibleTip : nil
    }

    /// Sensors of a kind that this version does not know are left out.
    package init?(reading json: JSONNode) {
        guard let source: Source = json["source"]?.word(), let sensors = json["sensors"]?.elements,
            let at = json["at"]?.time
        else { return nil }
        self.init(
            source: source,
            illuminance: json["illuminance"]?.illuminance,
            level: json["level"]?.number,
            appearance: json["appearance"]?.word(),
            sensors: sensors.compactMap { SensorState(reading: $0) },
            at: at
        )
    }

    /// The advice to people where a display's brightness stands in for a light sensor.
    private static let standInTip =
        "No light sensor. If a desktop sets the brightness by the light, that is the estimate. Else add a sensor."

    /// The advice where no sensor has a good reading, and one has implausible ones.
    private static let implausibleTip =
        "A light sensor reads only 0 or impossible values. It counts from its first other reading, if it is not broken."
}

extension Ambient.SensorState: Document {
    package func write(to json: inout JSONWriter) {
        json.member("id", id)
        json.member("kind", kind.rawValue)
        switch kind {
        case .illuminance: json.member("illuminance", decimal: illuminance?.lux)
        case .proximity: json.member("near", optional: isNear)
        }
        json.member("condition", condition.rawValue)
    }

    init?(reading json: JSONNode) {
        guard let id = json["id"]?.text, let kind: Ambient.SensorKind = json["kind"]?.word() else { return nil }
        self.init(
            id: id,
            kind: kind,
            illuminance: json["illuminance"]?.illuminance,
            isNear: json["near"]?.bool,
            condition: json["condition"]?.word() ?? .live
        )
    }
}
