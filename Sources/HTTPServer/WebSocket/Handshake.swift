// SPDX-License-Identifier: Apache-2.0
internal import Support

/// A valid opening handshake (RFC 6455, section 4.2.1). No extension or subprotocol is negotiated.
package struct Handshake: Sendable {
    package enum Fault: Error, Hashable, Sendable {
        /// A plain GET, a HEAD, or HTTP/1.0, which has no upgrades.
        case noUpgrade
        /// `Sec-WebSocket-Version` is not 13, or missing.
        case version
        /// `Sec-WebSocket-Key` is not 16 bytes in base64, or missing.
        case key
    }

    /// Header fields of a rejection for `noUpgrade` or `version`. They state the required handshake.
    package static let wanted: [Response.Field] = [
        ("Connection", "Upgrade"), ("Upgrade", "websocket"), ("Sec-WebSocket-Version", "13"),
    ]

    /// The value of `Sec-WebSocket-Accept`.
    let accept: String

    package init(_ request: Request) throws(Fault) {
        guard request.method == .get, !request.isHTTP10, request.lists("websocket", in: "Upgrade"),
            request.lists("upgrade", in: "Connection")
        else { throw .noUpgrade }
        guard request.header("Sec-WebSocket-Version") == "13" else { throw .version }
        guard let key = request.header("Sec-WebSocket-Key"), Base64.bytes(16, of: key) != nil else { throw .key }
        accept = WebSocketKey(text: key).confirmation
    }
}

extension Request {
    /// Whether a header field is a list with this word, in any case.
    fileprivate func lists(_ word: String, in name: StaticString) -> Bool {
        list(name)?.lowercased().split(separator: ",").contains { item in
            item.split(whereSeparator: { $0 == " " || $0 == "\t" }) == [word[...]]
        } ?? false
    }
}
