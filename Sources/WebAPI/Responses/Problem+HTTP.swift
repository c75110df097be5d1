// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import HTTPServer

extension Problem {
    func adding(_ fields: [Field]) -> Problem {
        var problem = self
        problem.fields += fields
        return problem
    }

    var response: Response {
        Response(
            status: type.status,
            fields: [("Content-Type", "application/problem+json"), ("Cache-Control", "no-store")] + fields,
            body: json + Response.newline
        )
    }

    init(_ fault: Handshake.Fault) {
        switch fault {
        case .noUpgrade:
            self.init(
                .upgradeRequired,
                "This URL requires a WebSocket client and HTTP/1.1. /v1/events has the same events over plain HTTP.",
                fields: Handshake.wanted
            )
        case .version:
            self.init(
                .upgradeRequired,
                "Unsupported WebSocket version. Send Sec-WebSocket-Version: 13.",
                fields: Handshake.wanted
            )
        case .key:
            self.init(.invalidRequest, "Sec-WebSocket-Key must be 16 random bytes in base64 (RFC 6455, section 4.1).")
        }
    }

    init(_ fault: RequestError) {
        switch fault {
        case .longTarget: self.init(.urlTooLong, "The URL has more than 2,048 bytes, the maximum.")
        case .escapedSlash:
            self.init(.notFound, "No resource has a path with %2F: a slash separates the segments of a path.")
        case .largeHead:
            self.init(.headersTooLarge, "The header fields have more than 8,192 bytes together, the maximum.")
        case .largeBody(let limit): self = .bodyTooLarge(limit)
        case .ambiguous(let detail): self.init(.invalidRequest, "\(detail) The server closes the connection.")
        case .tooSlow:
            self.init(
                .requestTimeout,
                "The request was not complete in time: 10 s for its head, 30 s for its body. The server closes the "
                    + "connection."
            )
        case .noStreamCapacity:
            self = .retry(
                .serverLimitReached,
                "Every descriptor for streams is in use, or the daemon is stopping. Retry in 10 s; raise the limit "
                    + "of open files.",
                after: 10
            )
        case .noConnectionCapacity:
            self = .retry(
                .serverLimitReached,
                "Every descriptor for connections is in use. Retry in 2 s; raise the daemon's limit of open files.",
                after: 2
            )
        case .tooManyStreams(let limit):
            self = .retry(
                .clientLimitReached,
                "At most \(limit) event streams and WebSockets are open to one address (--limit streams). "
                    + "Close one of them.",
                after: 10
            )
        case .tooManyConnections(let limit):
            self = .retry(
                .clientLimitReached,
                "At most \(limit) connections are open to one address (--limit connections). Reuse or close one "
                    + "of them."
            )
        case .tooManyConnects(let perSecond):
            self = .retry(
                .rateLimited,
                "At most \(perSecond) new connections per second are accepted from one address "
                    + "(--limit connects). Reuse a connection.",
                after: 1
            )
        }
    }
}
