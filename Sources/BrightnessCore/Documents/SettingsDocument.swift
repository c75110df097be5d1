// SPDX-License-Identifier: Apache-2.0

/// The document of a display's settings for clients.
package struct SettingsDocument: Document {
    private let display: DisplayID
    private let settings: DisplaySettings
    private let deviceName: String?

    /// - Parameter deviceName: The display's name without its settings; `nil` leaves it out.
    package init(_ display: DisplayID, _ settings: DisplaySettings, deviceName: String? = nil) {
        self.display = display
        self.settings = settings
        self.deviceName = deviceName
    }

    package func write(to json: inout JSONWriter) {
        json.member("display", display.text)
        json.member("name", settings.name?.text)
        if let deviceName { json.member("deviceName", deviceName) }
        json.name("curve")
        if let curve = settings.curve { curve.write(to: &json) } else { json.null() }
        json.member("position", optional: settings.position?.number)
    }
}

/// The settings of a display as the journal keeps them, whether the display is there or not.
package struct SettingsRecord: KeptRecord, Sendable {
    package static let kind = "settings"
    package var key: String { display.text }

    package let display: DisplayID
    package let settings: DisplaySettings

    package init(_ display: DisplayID, _ settings: DisplaySettings) {
        (self.display, self.settings) = (display, settings)
    }

    package func write(to json: inout JSONWriter) {
        json.member("display", display.text)
        json.member("name", settings.name?.text)
        // As text: a document for clients rounds the points.
        json.member("curve", settings.curve?.text(per: 1))
        json.member("position", optional: settings.position?.number)
    }

    /// An invalid setting counts as missing.
    package init?(reading json: JSONNode) {
        guard let display = json["display"]?.display else { return nil }
        self.init(
            display,
            DisplaySettings(
                name: json["name"]?.string.flatMap { DisplayName($0) },
                curve: json["curve"]?.string.flatMap { PanelCurve($0, per: 1) },
                position: json["position"]?.integer.flatMap { DisplaySettings.Position($0) }
            )
        )
    }
}
