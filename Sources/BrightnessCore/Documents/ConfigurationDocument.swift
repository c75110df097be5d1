// SPDX-License-Identifier: Apache-2.0

/// The document of `/v1/configuration`: what people have set on a machine once, apart from brightness, power and
/// leases.
package struct ConfigurationDocument: Document, Sendable {
    /// The version of its form.
    static let version = 1
    /// The maximum length of its text in bytes. One with as many of everything as is allowed is shorter.
    package static let longest = 2_097_152
    static let mostDisplays = 1_024

    /// In the order of their names, as the others; `nil` keeps the current ones.
    package let presets: [Preset]?
    package let schedules: [Schedule]?
    package let displays: [DisplayID: DisplaySettings]?
    /// The inner optional is `nil` for the place of the daemon's options.
    package let location: Location??

    package func write(to json: inout JSONWriter) {
        json.member("version", Self.version)
        json.member("presets", presets ?? [])
        json.member("schedules", schedules ?? [])
        let displays = (displays ?? [:]).sorted { $0.key.text < $1.key.text }
        json.member("displays", displays.map { SettingsDocument($0, $1) })
        json.member("location", location ?? nil)
    }
}
