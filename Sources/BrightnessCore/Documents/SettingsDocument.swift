// SPDX-License-Identifier: Apache-2.0

/// The settings of a display, and what it is called without them.
package struct SettingsDocument: Document {
    private let display: DisplayID
    private let settings: DisplaySettings
    private let deviceName: String

    package init(_ display: DisplayID, _ settings: DisplaySettings, deviceName: String) {
        self.display = display
        self.settings = settings
        self.deviceName = deviceName
    }

    package func write(to json: inout JSONWriter) {
        json.member("display", display.text)
        json.member("name", settings.name?.text)
        json.member("deviceName", deviceName)
        json.name("curve")
        if let curve = settings.curve { curve.write(to: &json) } else { json.null() }
        json.member("position", optional: settings.position?.number)
    }
}

/// The settings as the journal keeps them.
extension DisplaySettings: Document {
    package func write(to json: inout JSONWriter) {
        json.member("name", name?.text)
        // As text: a document for clients rounds the points.
        json.member("curve", curve?.text(per: 1))
        json.member("position", optional: position?.number)
    }

    /// An invalid setting counts as missing.
    init(reading json: JSONNode) {
        self.init(
            name: json["name"]?.string.flatMap { DisplayName($0) },
            curve: json["curve"]?.string.flatMap { PanelCurve($0, per: 1) },
            position: json["position"]?.integer.flatMap { Position($0) }
        )
    }
}
