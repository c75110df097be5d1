// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import Support

/// The names by which ESPHome clients know the daemon. Always the same ones for a machine.
package struct Identity: Equatable, Sendable {
    /// The maximum length of a name that clients accept, in characters.
    private static let longestName = 31

    /// Lower-case letters, digits and `-`.
    package let name: String
    package let friendlyName: String
    /// Home Assistant's id of the device: 12 hexadecimal digits.
    package let mac: String

    /// Derives the names from the machine's.
    ///
    /// The address is made up from the machine's id: the real one would merge the device with others of the same
    /// machine, such as a voice assistant.
    ///
    /// - Parameters:
    ///   - machine: The machine's name.
    ///   - id: The machine's id, which is not published; the name where there is none.
    package init(machine: String, id: String?) {
        let host = machine.prefix { $0 != "." }
        let slug = host.lowercased().utf8.map { $0.isLowercaseOrDigit ? $0 : UInt8(ascii: "-") }
        name = slug.isEmpty ? "brightnessd" : String(decoding: slug.prefix(Self.longestName), as: UTF8.self)
        friendlyName = host.isEmpty ? "brightnessd" : String(host)
        let digest = sha256(of: Array("brightnessd ESPHome \(id ?? machine)".utf8))
        // The first byte marks an address that is locally administered and not of a group.
        mac = ([0x02] + digest.prefix(5)).map { $0 < 16 ? "0\(String($0, radix: 16))" : String($0, radix: 16) }.joined()
    }

    /// The address as `02:AB:…`.
    var address: String {
        let digits = Array(mac.uppercased())
        return stride(from: 0, to: digits.count, by: 2).map { String(digits[$0..<$0 + 2]) }.joined(separator: ":")
    }

    /// The records by which clients recognize the daemon on the network.
    ///
    /// - Parameter hasKey: Whether clients need the key; otherwise they may be asked to set one.
    package func announcement(hasKey: Bool, version: String) -> [(name: String, value: String)] {
        let plain = [
            ("mac", mac), ("friendly_name", friendlyName), ("version", OutgoingMessage.esphomeVersion),
            ("project_name", OutgoingMessage.projectName), ("project_version", version),
        ]
        return plain + [(hasKey ? "api_encryption" : "api_encryption_supported", NoiseHandshake.name)]
    }

    /// The first frame to a client that encrypts.
    var serverHello: [UInt8] { [1] + Array(name.utf8) + [0] + Array(mac.utf8) + [0] }
}
