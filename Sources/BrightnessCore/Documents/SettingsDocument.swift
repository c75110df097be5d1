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
