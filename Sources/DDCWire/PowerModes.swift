// SPDX-License-Identifier: Apache-2.0

/// The values of the VCP feature 0xD6, power mode.
///
/// - SeeAlso: VESA MCCS 2.2a, 8.11
package enum PowerModes {
    package static let on = 1
    /// A monitor in this mode wakes by itself or by a command.
    private static let standby = 2
    /// The screen is off. Some monitors then wake only by their button, so it is the second choice.
    private static let off = 4

    /// Returns the mode that switches a monitor off: standby if its capabilities list it, such as
    /// `(prot(monitor)vcp(10 D6(01 02 04)))`, else off.
    package static func off(in capabilities: String) -> Int {
        let text = Array(capabilities.prefix(4_096).uppercased().utf8)
        let name = Array("D6(".utf8)
        guard let start = text.indices.first(where: { text[$0...].starts(with: name) }) else { return off }
        let list = text[(start + name.count)...].prefix { $0 != UInt8(ascii: ")") }
        let modes = list.split(separator: UInt8(ascii: " ")).map { Int(String(decoding: $0, as: UTF8.self), radix: 16) }
        return modes.contains(standby) ? standby : off
    }

    /// The bytes that set the feature 0xD6, for a monitor at the I2C address 0x37.
    ///
    /// - SeeAlso: VESA DDC/CI 1.1, 4.4 "Set VCP Feature"
    package static func message(setting mode: Int) -> [UInt8] {
        // The host's address, the length with its marker, and the command. The checksum begins with the monitor's
        // address.
        let bytes: [UInt8] = [0x51, 0x84, 0x03, 0xD6, 0, UInt8(mode)]
        return bytes + [bytes.reduce(0x6E, ^)]
    }
}
