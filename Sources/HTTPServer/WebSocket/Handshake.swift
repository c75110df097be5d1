// SPDX-License-Identifier: Apache-2.0

/// A client's wish for a WebSocket, checked (RFC 6455, section 4.2.1). No extension or subprotocol is negotiated.
package struct Handshake: Sendable {
    /// Why there can be no WebSocket.
    package enum Fault: Error, Hashable, Sendable {
        /// A plain GET, a HEAD, or HTTP/1.0, which knows no upgrades.
        case noUpgrade
        /// Another `Sec-WebSocket-Version` than 13, or none.
        case version
        /// `Sec-WebSocket-Key` is not 16 bytes in base64, or there is none.
        case key
    }

    /// What a refusal for `noUpgrade` or `version` must carry, so that the client knows what would do.
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
        guard let key = request.header("Sec-WebSocket-Key"), HandshakeKey.is16Bytes(key) else { throw .key }
        accept = HandshakeKey.accept(key)
    }
}

extension Request {
    /// Whether a field is a list that holds this word, in any case.
    fileprivate func lists(_ word: String, in name: StaticString) -> Bool {
        header(name)?.lowercased().split(separator: ",").contains { item in
            item.split(whereSeparator: { $0 == " " || $0 == "\t" }) == [word[...]]
        } ?? false
    }
}
