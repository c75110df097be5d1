// SPDX-License-Identifier: Apache-2.0

/// A monitor's id from its EDID: `maker-model-serial`, the same at every start and on every connector.
package enum EDIDName {
    /// - Parameter edid: The first 128 bytes, for numbers in place of a missing name or serial text.
    package static func id(maker: String, model: String, product: UInt16, serial: String, edid: [UInt8]) -> String {
        let model = model.isEmpty ? hexadecimal(UInt32(product)) : model
        // VESA E-EDID 1.4, section 3.4: bytes 12 to 15, the least significant first.
        let number = edid.count >= 16 ? edid[12..<16].reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) } : 0
        let serial = serial.isEmpty ? (number == 0 ? "" : hexadecimal(number)) : serial
        let id = [maker, model, serial].filter { !$0.isEmpty }.map(segment).joined(separator: "-")
        // `DisplayID.reserved`: names with another meaning in paths and topics.
        let reserved = [".", "..", "all", "ambient", "capabilities", "illuminance", "status"]
        return reserved.contains(id) ? "monitor-\(id)" : id
    }

    /// Numbers equal ids in their order, apart from all others: `X`, `X`, `X-2` become `X`, `X-3`, `X-2`.
    package static func numbered(_ ids: [String]) -> [String] {
        var taken = Set(ids)
        var seen: Set<String> = []
        return ids.map { id in
            if seen.insert(id).inserted { return id }
            var number = 2
            while !taken.insert("\(id)-\(number)").inserted { number += 1 }
            return "\(id)-\(number)"
        }
    }

    /// Replaces characters that a display's id does not allow: letters, digits, `.` and `_` stay.
    private static func segment(_ text: String) -> String {
        String(
            String.UnicodeScalarView(
                text.unicodeScalars.map { scalar in
                    let isPlain =
                        scalar.isASCII && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil)
                    return isPlain || scalar == "." ? scalar : "_"
                }
            )
        )
    }

    private static func hexadecimal(_ number: UInt32) -> String { String(number, radix: 16, uppercase: true) }
}
