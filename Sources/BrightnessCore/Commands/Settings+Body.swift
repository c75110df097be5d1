// SPDX-License-Identifier: Apache-2.0

extension Command {
    /// `PUT …/settings`: `{"name":"Left"}`. A member that is left out keeps its setting, `null` is the device's own.
    package static func configure(from body: consuming RequestBody) throws(Problem) -> Command {
        let change = try body.settings()
        let attribution = try body.attribution()
        body.explain(["display", "deviceName"], "It is not a setting; leave it out.")
        let missing = "Send name, curve or position, such as {\"name\":\"Left\"}; null is the device's own."
        let wanted = change == DisplaySettings.Change() ? nil : change
        // The fault is in the whole body, so no member is named.
        return attribution.attribute(.configure(try body.end(requiring: wanted, "", missing)))
    }
}

extension RequestBody {
    /// Reads `name`, `curve` and `position`.
    mutating func settings() throws(Problem) -> DisplaySettings.Change {
        DisplaySettings.Change(
            name: try displayName("name"),
            curve: try panelCurve("curve"),
            position: try position("position")
        )
    }

    /// The outer optional is `nil` if the member is missing; the inner one is `nil` if the member is `null`.
    fileprivate mutating func displayName(_ name: String) throws(Problem) -> DisplayName?? {
        guard let text = try nullableString(name, length: 1...64) else { return nil }
        guard let text else { return .some(nil) }
        let detail = "\(name) must not begin or end with a space, and must be valid text."
        return try valid(DisplayName(text), name, detail).map { .some($0) }
    }

    /// As above.
    fileprivate mutating func position(_ name: String) throws(Problem) -> DisplaySettings.Position?? {
        guard let value = value(name) else { return nil }
        if value == .null { return .some(nil) }
        if case .number(let number) = value, let position = Int(exactly: number) {
            if let position = DisplaySettings.Position(position) { return position }
        }
        try reject(name, "\(name) must be null or a whole number from 1 to \(DisplaySettings.Position.last).")
        return nil
    }

    /// As above.
    fileprivate mutating func panelCurve(_ name: String) throws(Problem) -> PanelCurve?? {
        guard let value = value(name) else { return nil }
        switch value {
        case .null: return .some(nil)
        case .string("linear"): return .linear
        case .string("perceptual"): return .perceptual
        case .array(let pairs):
            if let points = PanelCurve.Points(pairs.prefix(PanelCurve.Points.limit + 1).compactMap { $0.curvePoint }),
                points.all.count == pairs.count
            {
                return .points(points)
            }
        default: break
        }
        try reject(
            name,
            "\(name) must be \"linear\", \"perceptual\", or 2 to \(PanelCurve.Points.limit) points [brightness, level] "
                + "such as [[0,0.03],[0.5,0.3],[1,0.8]]: the brightness rises from 0 to 1, and the level of the panel "
                + "rises within 0 to 1."
        )
        return nil
    }
}

extension JSONValue {
    /// `[brightness, level]`.
    fileprivate var curvePoint: PanelCurve.Points.Point? {
        guard case .array(let pair) = self, pair.count == 2, case .number(let brightness) = pair[0],
            case .number(let level) = pair[1]
        else { return nil }
        return PanelCurve.Points.Point(brightness.documented, level.documented)
    }
}
