// SPDX-License-Identifier: Apache-2.0

extension ProblemType {
    /// The requests that get this problem.
    package var occurrence: String {
        switch self {
        case .invalidJSON:
            "The body, a WebSocket message or an MQTT payload is empty or is not JSON (RFC 8259), or an object "
                + "in it has two members of one name."
        case .invalidRequest:
            "A query parameter or header field has an invalid value, or the message is ambiguous: it has two "
                + "lengths, a length and a transfer encoding, two Host fields, or no Host field. The server closes the "
                + "connection after an ambiguous message."
        case .unsupportedField:
            "A request that changes something has a header field which the daemon does not carry out, and which "
                + "would give the request another meaning: Idempotency-Key."
        case .unauthorized:
            "The request has no token, or a token that is not in the daemon's --token-file."
        case .forbidden:
            "The token's scope is too small, or the token is limited to other displays; the daemon was started with "
                + "--anonymous read; the lease belongs to another principal, or the daemon holds it and it can only be "
                + "released; the user of the Unix socket lacks permission; the web page's origin is not allowed; or a "
                + "stream names a holder, and any web page can have requested it."
        case .notFound:
            "No resource has this path, no JSON-RPC method has this name, or the resource has no data."
        case .displayNotFound:
            "No display has this id, or there is no display at all."
        case .leaseNotFound:
            "No lease has this id, or it ended too long ago: the daemon remembers the last 256 ended leases of each "
                + "display."
        case .methodNotAllowed:
            "The resource does not support this method."
        case .notAcceptable:
            "The Accept field excludes the only media type of the resource."
        case .requestTimeout:
            "The head of the request took longer than 10 seconds, or its body longer than 30 seconds. The server "
                + "closes the connection."
        case .noLightSensor:
            "Automatic brightness was switched on, and the machine has no light sensor to follow. The estimate from a "
                + "display's own brightness does not count: the display would follow itself."
        case .displayExists:
            "A client provides a display with the id of one that the machine serves or mirrors, or that another "
                + "principal provides."
        case .notDimmable:
            "A brightness, a dim or automatic brightness was requested of a display that can only be switched off and "
                + "on, such as one that a client provides with \"maximum\":null."
        case .notSwitchable:
            "A sleep or a power command was sent to a display that cannot be switched off and on: an LED, a monitor "
                + "without --ddc-power, or a backlight whose bl_power the daemon cannot write."
        case .commandNotSupported:
            "The display belongs to a node at a broker whose capabilities lack this command."
        case .leaseEnded:
            "The lease was released, or its ttl expired."
        case .lengthRequired:
            "The request needs a body and has neither Content-Length nor Transfer-Encoding."
        case .preconditionFailed:
            "If-Match or If-None-Match does not hold: the display or the document has changed since, or the resource "
                + "has no ETag."
        case .bodyTooLarge:
            "The body has more than 16,384 bytes."
        case .urlTooLong:
            "The URL with its query has more than 2,048 bytes."
        case .unsupportedMediaType:
            "The body's Content-Type is not application/json, or the body has a Content-Encoding."
        case .hostNotAllowed:
            "The Host field names a host that is not an IP address, localhost, this machine or one given with "
                + "--allow-host. The check protects against DNS rebinding."
        case .invalidBody:
            "The body is valid JSON, but a member is unknown, missing, of the wrong type or out of range."
        case .upgradeRequired:
            "A plain HTTP request was sent to the WebSocket, or the protocol version is not 13."
        case .rateLimited:
            "The client sent more writes a second than --limit writes allows, or its address opened more connections "
                + "a second than --limit connects allows."
        case .clientLimitReached:
            "A limit of one client is reached, which detail names: the streams or connections of its address, the "
                + "unanswered calls of one WebSocket, or the leases of a principal on a display. "
                + "docs/reference/limits.md has the numbers."
        case .headersTooLarge:
            "The header fields have more than 8,192 bytes together. Browsers send the cookies of localhost to every "
                + "port."
        case .displayUnavailable:
            "The display is unplugged, rejects writes or reports an impossible value; the daemon has no permission to "
                + "set it; its daily write budget is used up; the client that provides it is not connected or does "
                + "not answer; its node is offline or did not answer in time, or the broker cannot be reached; 1,024 "
                + "commands wait for it; a WebSocket call had no response within 30 seconds; or the daemon is stopping."
        case .serverLimitReached:
            "A limit of all clients together is reached, which detail names: file descriptors, the leases of a "
                + "display, schedules, presets, remote light sensors, provided displays, or waiting commands and "
                + "documents. Or the daemon is stopping. docs/reference/limits.md has the numbers."
        case .temporarilyUnavailable:
            "The daemon could not do this in time, and detail names what: read the history, store a schedule or "
                + "preset, read a light sensor, begin a command for more than 256 displays, make a document about many "
                + "displays, or collect its metrics."
        }
    }

    /// The next step for the client or for the person who runs the daemon.
    package var remedy: String {
        switch self {
        case .invalidJSON:
            "Send one JSON object, such as {\"brightness\":0.5}."
        case .invalidRequest:
            "Correct the value that detail names; /openapi.yaml lists the valid ones. For an ambiguous message, fix "
                + "the client or the proxy that sends it."
        case .unsupportedField:
            "Send the request without the field. PUT and DELETE may be repeated. A boost with a holder renews that "
                + "holder's boost instead of adding one. A PATCH with If-Match is carried out at most once."
        case .unauthorized:
            "Send Authorization: Bearer TOKEN, or ?access_token=TOKEN on a stream or WebSocket. The daemon reads a "
                + "changed token file at SIGHUP."
        case .forbidden:
            "Use a token with the scope that detail names (read, write or admin). Allow a page's origin with "
                + "--allow-origin, such as --allow-origin https://kiosk.example. For a token that is limited to some "
                + "displays, name one of these. For a stream with holder=, send Accept: text/event-stream, and from a "
                + "browser the Referer of a page of the same host."
        case .notFound:
            "Look the path up in /openapi.yaml. GET /v1/ambient has data after the first reading of a light sensor."
        case .displayNotFound:
            "Choose an id from GET /v1/displays."
        case .leaseNotFound:
            "GET the display's leases for the current ones, or POST a new one."
        case .methodNotAllowed:
            "Use a method that the Allow field lists."
        case .notAcceptable:
            "Accept the media type that detail names, or omit Accept."
        case .requestTimeout:
            "Send the request again on a new connection."
        case .noLightSensor:
            "Connect a light sensor that the kernel supports; brightnessd probe lists the sensors it finds. Or name "
                + "a sensor with a web server by --light-sensor, or report readings with PUT below /v1/ambient."
        case .displayExists:
            "Provide the display with another id."
        case .notDimmable:
            "Switch it with PUT .../power or a sleep: dimmable of its state is false."
        case .notSwitchable:
            "For a monitor, start the daemon with --ddc-power ID; for a backlight, install the udev rule of the "
                + "package. A dim needs neither."
        case .commandNotSupported:
            "Use another kind of lease, or another display. A node of another version may support it."
        case .leaseEnded:
            "POST a new lease."
        case .lengthRequired:
            "Send the body with Content-Length, or with Transfer-Encoding: chunked."
        case .preconditionFailed:
            "GET the resource again, then send the request with its new ETag."
        case .bodyTooLarge:
            "Send a shorter body."
        case .urlTooLong:
            "Send a shorter URL."
        case .unsupportedMediaType:
            "Send Content-Type: application/json (with curl: --json), without a Content-Encoding."
        case .hostNotAllowed:
            "Use the IP address, or start the daemon with --allow-host NAME."
        case .invalidBody:
            "Correct the member that errors points to."
        case .upgradeRequired:
            "Open the URL with a WebSocket client, in a browser new WebSocket(\"ws://localhost:8787/v1/ws\"), or use "
                + "/v1/events over plain HTTP."
        case .rateLimited:
            "Wait for Retry-After seconds, and keep connections open for later requests. Raise the limit if many "
                + "people share one address, such as a proxy's."
        case .clientLimitReached:
            "Close streams or connections, or wait for responses. Raise the limit if many people share one address, "
                + "such as a proxy's. For leases, name a holder: the same holder renews its lease instead of adding "
                + "one."
        case .headersTooLarge:
            "Delete cookies, or send fewer header fields."
        case .displayUnavailable:
            "Retry after Retry-After seconds; the daemon retries the display itself. After a missing response, read "
                + "the state first: the display may have changed. If the daemon lacks permission, run brightnessd "
                + "probe. --ddc-writes-per-day raises the budget."
        case .serverLimitReached:
            "Retry after Retry-After seconds. Raise the daemon's limit of open files (LimitNOFILE). Remove a schedule "
                + "or a reading, or withdraw a provided display. For leases, name a holder: the same holder renews "
                + "its lease instead of adding one."
        case .temporarilyUnavailable:
            "Retry after Retry-After seconds. For the history and schedules the daemon's log has the reason, such as "
                + "a full disk; for the light, brightnessd probe lists the sensors. A command that was not begun in "
                + "time may still be carried out: read the displays first."
        }
    }

    /// The data of `docs/reference/problems.md`, as a JSON array.
    package static var reference: [UInt8] {
        var json = JSONWriter(reserving: 16_384)
        json.array(allCases) { json, type in
            json.object { json in
                json.member("name", type.rawValue)
                json.member("status", type.status)
                json.member("title", type.title)
                json.member("occurrence", type.occurrence)
                json.member("remedy", type.remedy)
            }
        }
        return json.bytes
    }
}
