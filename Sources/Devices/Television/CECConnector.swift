// SPDX-License-Identifier: Apache-2.0

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
        let directory = "\(sysfsRoot)/class/drm"
        let prefix = "card\(card)-"
        let names = SysfsDirectory(path: directory).names.filter { $0.hasPrefix(prefix) }
        let found = names.first { name in
            let number = try? SysfsAttribute(path: "\(directory)/\(name)/connector_id").text()
            return number.flatMap { UInt32($0) } == connector
        }
        guard let found else {
            (name, monitor) = ("card \(card), connector \(connector)", nil)
            return
        }
        name = String(found.dropFirst(prefix.count))
        monitor = SysfsAttribute(path: "\(directory)/\(found)/edid").edidName
    }
}

extension SysfsAttribute {
    /// The product name in an EDID; `nil` if there is none.
    fileprivate var edidName: String? {
        guard let edid = try? bytes(atMost: 128), edid.count == 128 else { return nil }
        return Self.productName(in: edid)
    }

    /// - Parameter edid: 128 bytes.
    /// - SeeAlso: VESA E-EDID 1.4, section 3.10: four descriptors of 18 bytes; the one with the tag 0xFC has the name.
    static func productName(in edid: [UInt8]) -> String? {
        for start in stride(from: 54, through: 108, by: 18) where Array(edid[start..<start + 4]) == [0, 0, 0, 0xfc] {
            let text = edid[start + 5..<start + 18].prefix { $0 != 0x0a }
            let name = String(decoding: text.filter { (0x20..<0x7f).contains($0) }, as: UTF8.self)
            let trimmed = name.split(separator: " ").joined(separator: " ")
            return trimmed.isEmpty ? nil : trimmed
        }
        return nil
    }
}
