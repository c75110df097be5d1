// SPDX-License-Identifier: Apache-2.0

/// A monitor's id from its EDID: `maker-model-serial`, the same at every start, and on every connector unless there are
/// two equal monitors.
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

    /// Names equal monitors by their connectors, so that each keeps its id while the others are away: `X` and `X` on
    /// `DP-1` and `DP-2` become `X` and `X-DP-2`. Without connectors they are numbered: `X`, `X-2`.
    ///
    /// A known id first goes to the monitor at its connector, so a second monitor that is plugged in takes none.
    ///
    /// - Parameters:
    ///   - monitors: Their ids, and their connectors as far as these are known.
    ///   - known: The ids of earlier searches with their connectors; empty for an unknown one.
    ///   - reserved: The ids of monitors that do not answer now.
    package static func distinct(
        _ monitors: [(id: String, connector: String?)],
        known: [String: String] = [:],
        reserved: Set<String> = []
    ) -> [String] {
        let plain = Set(monitors.map(\.id))
        var taken = reserved
        var ids = [String?](repeating: nil, count: monitors.count)
        func assign(_ id: String, to index: Int) {
            taken.insert(id)
            ids[index] = id
        }
        // An id with a connector or a number must not be the plain id of another monitor.
        func isFree(_ extended: String) -> Bool { !taken.contains(extended) && !plain.contains(extended) }
        func idWithConnector(_ index: Int) -> String? {
            let (id, connector) = monitors[index]
            guard let connector else { return nil }
            let extended = ([id] + connector.split(separator: "-").map { segment(String($0)) }).joined(separator: "-")
            return isFree(extended) ? extended : nil
        }
        // First the known ids at their connectors, then the others. An id with a connector in it needs no comparison.
        for index in monitors.indices {
            let (id, connector) = monitors[index]
            if let connector, known[id] == connector, !taken.contains(id) {
                assign(id, to: index)
            } else if let extended = idWithConnector(index), known[extended] != nil {
                assign(extended, to: index)
            }
        }
        let others = monitors.indices.filter { ids[$0] == nil }
        for index in others.sorted(by: { isBefore(monitors[$0].connector, monitors[$1].connector) }) {
            let id = monitors[index].id
            if !taken.contains(id) {
                assign(id, to: index)
            } else if let extended = idWithConnector(index) {
                assign(extended, to: index)
            } else {
                var number = 2
                while !isFree("\(id)-\(number)") { number += 1 }
                assign("\(id)-\(number)", to: index)
            }
        }
        return ids.compactMap { $0 }
    }

    /// By their names; those without a connector last, in their order.
    private static func isBefore(_ left: String?, _ right: String?) -> Bool {
        guard let left else { return false }
        return right.map { left < $0 } ?? true
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
