// SPDX-License-Identifier: Apache-2.0
package import Support

extension WebSocketKey {
    /// Whether the head of an answer with the status 101 confirms the key.
    package func isConfirmed(by head: [UInt8]) -> Bool {
        let values = head.split(separator: UInt8(ascii: "\n")).dropFirst().compactMap { line -> String? in
            let line = String(decoding: line, as: UTF8.self)
            guard let colon = line.firstIndex(of: ":"), line[..<colon].lowercased() == "sec-websocket-accept" else {
                return nil
            }
            let value = line[line.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
            return String(value.prefix { !$0.isWhitespace })
        }
        return values == [confirmation]
    }
}
