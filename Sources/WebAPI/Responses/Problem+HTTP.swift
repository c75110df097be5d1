// SPDX-License-Identifier: Apache-2.0
import BrightnessAPI
import HTTPServer

extension Problem {
    /// The same problem with more header fields.
    func adding(_ fields: [Field]) -> Problem {
        var problem = self
        problem.fields += fields
        return problem
    }

    var response: Response {
        Response(
            status: type.status,
            fields: [("Content-Type", "application/problem+json"), ("Cache-Control", "no-store")] + fields,
            body: json
        )
    }
}

extension Problem {
    init(_ fault: Handshake.Fault) {
        switch fault {
        case .noUpgrade:
            self.init(
                .upgradeRequired,
                "Open this with a WebSocket client, over HTTP/1.1. /v1/events has the same events over plain HTTP.",
                fields: Handshake.wanted
            )
        case .version:
            self.init(
                .upgradeRequired,
                "The version of the protocol here is 13: Sec-WebSocket-Version: 13.",
                fields: Handshake.wanted
            )
        case .key:
            self.init(.malformedField, "Sec-WebSocket-Key is 16 random bytes in base64 (RFC 6455, section 4.1).")
        }
    }

    init(_ fault: RequestFault) {
        switch fault {
        case .longTarget: self.init(.targetTooLong, "The URL has more than 2,048 bytes.")
        case .largeHead: self.init(.headTooLarge, "The header fields have more than 8,192 bytes together.")
        case .largeBody: self = .largeBody
        case .ambiguous(let detail): self.init(.ambiguousMessage, "\(detail) The connection is closed.")
        case .tooSlow:
            self.init(.requestTooSlow, "The request did not come to its end in time. The connection is closed.")
        case .noRoom: self = .retry(.tooManyStreams, "Close a stream, or come back later.", after: 10)
        case .noConnection: self = .retry(.tooManyConnections, "Come back in a moment.", after: 2)
        case .tooManyStreams:
            self = .retry(
                .tooManyClientStreams,
                "Close a stream of this client, or one behind the same address, and come back.",
                after: 10
            )
        case .tooManyConnections:
            self = .retry(
                .tooManyClientConnections,
                "Keep one connection and use it again, or come back when another one of this client has ended.",
                after: 5
            )
        case .tooManyConnects:
            self = .retry(.tooManyConnects, "Keep a connection and use it again, or come back in a moment.", after: 1)
        }
    }
}
