// SPDX-License-Identifier: Apache-2.0

/// Events over a WebSocket: each is one text frame.
struct WebSocketFormat: StreamFormat {
    let encoding: EventEncoding

    func encode(_ event: Event, _ data: [UInt8]) -> [UInt8] { Frame.encode(.text, encoding.message(event, data)) }

    var greeting: [UInt8] { [] }

    var keepAlive: [UInt8] { Frame.encode(.ping) }

    var farewell: [UInt8] { Frame.close(.goingAway) }

    var revocation: [UInt8] { Frame.close(.policyViolation) }
}

extension StreamFormats {
    init(_ encoding: EventEncoding) { self.init(encoding, webSocket: WebSocketFormat(encoding: encoding)) }
}
