// SPDX-License-Identifier: Apache-2.0
import DDCWire

/// The connector of a graphics card that a CEC adapter belongs to.
struct CECConnector: Hashable, Sendable {
    /// The kernel's name, such as `HDMI-A-1`; with its numbers where that is not known.
    let name: String
    /// The product name in the EDID of what is plugged in; `nil` if there is none.
    let monitor: String?

    /// Returns `nil` for an adapter without a connector, such as one at USB.
    ///
    /// - SeeAlso: `CEC_ADAP_G_CONNECTOR_INFO`; Linux `Documentation/ABI` for `connector_id`
    init?(of file: CECFile, sysfsRoot: String) {
        guard let (card, connector) = file.connector else { return nil }
        let found = Connectors(sysfsRoot: sysfsRoot).all.first { one in
            guard one.name.hasPrefix("card\(card)-") else { return false }
            let number = try? SysfsAttribute(path: "\(sysfsRoot)/class/drm/\(one.name)/connector_id").text()
            return number.flatMap { UInt32($0) } == connector
        }
        name = found?.plug ?? "card \(card), connector \(connector)"
        monitor = found.flatMap { Self.productName(in: $0.edid) }
    }

    /// - Parameter edid: The first 128 bytes of an EDID; fewer have no name.
    /// - SeeAlso: VESA E-EDID 1.4, section 3.10: four descriptors of 18 bytes; the one with the tag 0xFC has the name.
    static func productName(in edid: [UInt8]) -> String? {
        guard edid.count >= 128 else { return nil }
        for start in stride(from: 54, through: 108, by: 18) where Array(edid[start..<start + 4]) == [0, 0, 0, 0xfc] {
            let text = edid[start + 5..<start + 18].prefix { $0 != 0x0a }
            let name = String(decoding: text.filter { (0x20..<0x7f).contains($0) }, as: UTF8.self)
            let trimmed = name.split(separator: " ").joined(separator: " ")
            return trimmed.isEmpty ? nil : trimmed
        }
        return nil
    }
}
