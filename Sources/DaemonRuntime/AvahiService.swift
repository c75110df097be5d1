// SPDX-License-Identifier: Apache-2.0
import ESPHome
import HTTPServer

/// The service file by which Avahi announces the ESPHome server, so that Home Assistant finds it by itself.
///
/// - SeeAlso: avahi.service(5)
package enum AvahiService {
    package static func text(_ options: OptionTexts, version: String) throws(OptionError) -> String {
        guard let esphome = try Settings(options).esphome else {
            throw OptionError("there is nothing to announce: set --esphome 6053")
        }
        guard !esphome.address.isLoopback else {
            throw OptionError(
                "\(esphome.address) cannot be reached from other machines: add --esphome-key-file, or another address"
            )
        }
        let key = try esphome.keyFile.map { file throws(OptionError) in try file.read() } ?? esphome.key
        let records = esphome.identity.announcement(hasKey: key != nil, version: version)
        let lines = records.map { "    <txt-record>\(escaped("\($0.name)=\($0.value)"))</txt-record>" }
        return """
            <?xml version="1.0" standalone='no'?>
            <!DOCTYPE service-group SYSTEM "avahi-service.dtd">
            <service-group>
              <name>\(escaped(esphome.identity.friendlyName))</name>
              <service>
                <type>_esphomelib._tcp</type>
                <port>\(esphome.address.port)</port>
            \(lines.joined(separator: "\n"))
              </service>
            </service-group>
            """
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
    }
}
