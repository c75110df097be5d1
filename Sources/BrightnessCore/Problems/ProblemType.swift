// SPDX-License-Identifier: Apache-2.0

/// The closed set of problem types (RFC 9457). A raw value is the last part of `type`, `/problems/NAME`.
///
/// Problems that a client handles alike share a type; `detail` names the cause. `docs/reference/problems.md` is
/// generated from this enum (`make document`).
package enum ProblemType: String, CaseIterable, Sendable {
    case invalidJSON = "invalid-json"
    case invalidRequest = "invalid-request"
    case unsupportedField = "unsupported-field"
    case unauthorized
    case forbidden
    case notFound = "not-found"
    case displayNotFound = "display-not-found"
    case leaseNotFound = "lease-not-found"
    case methodNotAllowed = "method-not-allowed"
    case notAcceptable = "not-acceptable"
    case requestTimeout = "request-timeout"
    case noLightSensor = "no-light-sensor"
    case displayExists = "display-exists"
    case notDimmable = "not-dimmable"
    case notSwitchable = "not-switchable"
    case commandNotSupported = "command-not-supported"
    case leaseEnded = "lease-ended"
    case lengthRequired = "length-required"
    case preconditionFailed = "precondition-failed"
    case bodyTooLarge = "body-too-large"
    case urlTooLong = "url-too-long"
    case unsupportedMediaType = "unsupported-media-type"
    case hostNotAllowed = "host-not-allowed"
    case invalidBody = "invalid-body"
    case upgradeRequired = "upgrade-required"
    case rateLimited = "rate-limited"
    case clientLimitReached = "client-limit-reached"
    case headersTooLarge = "headers-too-large"
    case displayUnavailable = "display-unavailable"
    case serverLimitReached = "server-limit-reached"
    case temporarilyUnavailable = "temporarily-unavailable"

    /// The HTTP status, and of problems over MQTT and WebSocket a number for programs.
    package var status: Int { Self.descriptions[index].status }

    package var title: String { Self.descriptions[index].title }

    /// The requests that get this problem.
    package var occurrence: String { Self.descriptions[index].occurrence }

    /// How a client, or the operator, avoids it.
    package var remedy: String { Self.descriptions[index].remedy }

    private var index: Int { Self.allCases.firstIndex(of: self) ?? 0 }

    private typealias Description = (status: Int, title: String, occurrence: String, remedy: String)

    private static let descriptions: [Description] = {
        let lines = table.split(separator: "\n").map { String($0) }
        return stride(from: 0, to: lines.count, by: 3).map { line in
            let heading = lines[line].split(separator: " ", maxSplits: 1)
            return (Int(heading[0])!, String(heading[1]), lines[line + 1], lines[line + 2])
        }
    }()

    /// In the order of the cases, three lines each: status and title, occurrence, remedy.
    private static let table = """
        400 Invalid JSON
        The body, a WebSocket message or an MQTT payload is empty or is not JSON (RFC 8259), or an object in it has \
        two members of one name.
        Send one JSON object, such as {"brightness":0.5}.
        400 Invalid request
        A query parameter or header field has an invalid value, or the message is ambiguous: it has two lengths, a \
        length and a transfer encoding, two Host fields, or no Host field. After an ambiguous message the connection \
        is closed.
        Correct the value that detail names; /openapi.yaml lists the valid ones. For an ambiguous message, fix the \
        client or the proxy that sends it.
        400 Unsupported header field
        A request that changes something has a header field that the daemon does not support, and that would give the \
        request another meaning: Idempotency-Key.
        Send the request without the field. PUT and DELETE may be repeated. A boost with a holder renews that holder's \
        boost instead of adding one. A PATCH with If-Match takes effect at most once.
        401 Token required
        The request has no token, or a token that is not in the daemon's --token-file.
        Send Authorization: Bearer TOKEN, or ?access_token=TOKEN on a stream or WebSocket. The daemon reads a changed \
        token file at SIGHUP.
        403 Permission denied
        The caller may not do this, and detail names the reason: the scope or the displays of its token, --anonymous \
        read, another principal's lease, a lease of the daemon itself, the Unix socket's permissions, or a page's \
        origin.
        Use a token with the scope that detail names, or choose a display within its limit. Allow a page's origin \
        with --allow-origin https://kiosk.example. A stream with holder= needs Accept: text/event-stream, and from a \
        browser a Referer of the same host.
        404 Not found
        No resource has this path, no JSON-RPC method has this name, or the resource has no data.
        Look the path up in /openapi.yaml. GET /v1/ambient has data after the first reading of a light sensor.
        404 Display not found
        No display has this id, or there is no display at all.
        Choose an id from GET /v1/displays.
        404 Lease not found
        No lease has this id, or it ended too long ago: the daemon remembers the last 256 ended leases of each \
        display.
        GET the display's leases for the current ones, or POST a new one.
        405 Method not allowed
        The resource does not support this method.
        Use a method that the Allow field lists.
        406 Not acceptable
        The Accept field excludes every media type of the resource.
        Accept the media type that detail names, or omit Accept.
        408 Request timeout
        The head of the request took longer than 10 seconds, or its body longer than 30 seconds. The server closes the \
        connection.
        Send the request again on a new connection.
        409 No light sensor
        Automatic brightness was switched on, and the machine has no light sensor to follow. The estimate from a \
        display's own brightness does not count: the display would follow itself.
        Connect a light sensor that the kernel supports; brightnessd probe lists the sensors it finds. Or name a \
        sensor with a web server by --light-sensor, or report readings with PUT below /v1/ambient.
        409 Display exists
        A client provides a display with the id of one that the machine serves or mirrors, or that another principal \
        provides.
        Provide the display with another id.
        409 Display cannot be dimmed
        A brightness, a dim or automatic brightness was requested of a display that can only be switched off and on, \
        such as one that a client provides with "maximum":null.
        Switch it with PUT .../power or a sleep. Its state has "dimmable":false.
        409 Display cannot be switched
        A sleep or a power command was sent to a display that cannot be switched off and on: an LED, a monitor without \
        --ddc-power, or a backlight whose bl_power the daemon cannot write.
        For a monitor, start the daemon with --ddc-power ID; for a backlight, install the udev rule of the package. \
        Otherwise, use a dim.
        409 Command not supported
        The display belongs to a node at a broker whose capabilities lack this command.
        Use another kind of lease, or another display. A node of another version may support it.
        410 Lease ended
        The lease was released, its ttl expired, or its holder's streams ended.
        POST a new lease.
        411 Length required
        The request needs a body and has neither Content-Length nor Transfer-Encoding.
        Send the body with Content-Length, or with Transfer-Encoding: chunked.
        412 Precondition failed
        If-Match or If-None-Match does not hold: the display or the document has changed since, or the resource has no \
        ETag.
        GET the resource again, then send the request with its new ETag.
        413 Body too large
        The body exceeds 16,384 bytes, for /v1/configuration 2 MiB.
        Send a shorter body.
        414 URL too long
        The URL with its query has more than 2,048 bytes.
        Send a shorter URL.
        415 Unsupported media type
        The body's Content-Type is not application/json, or the body has a Content-Encoding.
        Send Content-Type: application/json (with curl: --json), without a Content-Encoding.
        421 Host not allowed
        The Host field names a host that is not an IP address, localhost, this machine or one given with --allow-host. \
        The check protects against DNS rebinding.
        Use the IP address, or start the daemon with --allow-host NAME.
        422 Invalid body
        The body is valid JSON, but a member is unknown, missing, of the wrong type or out of range.
        Correct the member that errors points to.
        426 WebSocket upgrade required
        A plain HTTP request was sent to the WebSocket, or the protocol version is not 13.
        Open the URL with a WebSocket client, in a browser new WebSocket("ws://localhost:8787/v1/ws"), or use \
        /v1/events over plain HTTP.
        429 Rate limit exceeded
        The client sent more writes a second than --limit writes allows, or its address opened more connections a \
        second than --limit connects allows.
        Wait for Retry-After seconds, and keep connections open for later requests. Raise the limit if many people \
        share one address, such as a proxy's.
        429 Client limit reached
        A limit of one client is reached, which detail names: the streams or connections of its address, the \
        unanswered calls of one WebSocket, or the leases of a principal on a display. docs/reference/limits.md has the \
        numbers.
        Close streams or connections, or wait for answers. Raise the limit if many people share one address, such as \
        a proxy's. For leases, name a holder: the same holder renews its lease instead of adding one.
        431 Header fields too large
        The header fields have more than 8,192 bytes together. Browsers send the cookies of localhost to every port.
        Delete cookies, or send fewer header fields.
        503 Display unavailable
        The display is unplugged, cannot be read or rejects writes; the daemon lacks permission or is stopping; the \
        daily writes are used up; 1,024 commands wait for it; or the panel, client, node or broker does not answer in \
        time.
        Retry after Retry-After seconds; the daemon retries the display itself. After a missing answer, read the \
        state first: the display may have changed. If the daemon lacks permission, run brightnessd probe. \
        --ddc-writes-per-day raises the budget.
        503 Server limit reached
        A limit of all clients together is reached, which detail names: file descriptors, the leases of a display, \
        schedules, presets, remote light sensors, provided displays, or waiting commands and documents. Or the daemon \
        is stopping. docs/reference/limits.md has the numbers.
        Retry after Retry-After seconds. Raise the daemon's limit of open files (LimitNOFILE). Remove a schedule or a \
        reading, or withdraw a provided display. For leases, name a holder: the same holder renews its lease instead \
        of adding one.
        503 Temporarily unavailable
        The daemon did not finish in time what detail names: reading the history or a light sensor, storing a schedule \
        or preset, beginning a command for more than 256 displays, writing a document about many displays, or \
        collecting metrics.
        Retry after Retry-After seconds; for a command read the displays first, because it may still take effect. For \
        the history and schedules the daemon's log has the reason, such as a full disk. For light, brightnessd probe \
        lists the sensors.
        """

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
