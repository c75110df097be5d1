// SPDX-License-Identifier: Apache-2.0

/// Every kind of problem this API answers with (RFC 9457). Its name is the last part of `type`, `/problems/NAME`, where
/// it is explained.
package enum ProblemType: String, CaseIterable, Sendable {
    case malformedBody = "malformed-body"
    case malformedQuery = "malformed-query"
    case malformedField = "malformed-field"
    case ambiguousMessage = "ambiguous-message"
    case tokenNeeded = "token-needed"
    case unknownToken = "unknown-token"
    case scopeMissing = "scope-missing"
    case readOnly = "read-only"
    case foreignOrigin = "foreign-origin"
    case foreignUser = "foreign-user"
    case foreignLease = "foreign-lease"
    case notFound = "not-found"
    case unknownDisplay = "unknown-display"
    case unknownLease = "unknown-lease"
    case unknownLight = "unknown-light"
    case methodNotAllowed = "method-not-allowed"
    case notAcceptable = "not-acceptable"
    case requestTooSlow = "request-too-slow"
    case noLightSensor = "no-light-sensor"
    case stillRunning = "still-running"
    case leaseEnded = "lease-ended"
    case lengthRequired = "length-required"
    case revisionChanged = "revision-changed"
    case bodyTooLarge = "body-too-large"
    case targetTooLong = "target-too-long"
    case unsupportedMediaType = "unsupported-media-type"
    case hostNotServed = "host-not-served"
    case invalidBody = "invalid-body"
    case keyReused = "key-reused"
    case upgradeRequired = "upgrade-required"
    case tooManyCalls = "too-many-calls"
    case tooManyClientStreams = "too-many-client-streams"
    case tooManyClientConnections = "too-many-client-connections"
    case tooManyConnects = "too-many-connects"
    case tooManyWrites = "too-many-writes"
    case headTooLarge = "head-too-large"
    case displayUnavailable = "display-unavailable"
    case tooManyStreams = "too-many-streams"
    case tooManyConnections = "too-many-connections"
    case tooManyLeases = "too-many-leases"
    case historyUnavailable = "history-unavailable"
    case noReading = "no-reading"
    case metricsUnavailable = "metrics-unavailable"

    package var status: Int {
        switch self {
        case .malformedBody, .malformedQuery, .malformedField, .ambiguousMessage: 400
        case .tokenNeeded, .unknownToken: 401
        case .scopeMissing, .readOnly, .foreignOrigin, .foreignUser, .foreignLease: 403
        case .notFound, .unknownDisplay, .unknownLease, .unknownLight: 404
        case .methodNotAllowed: 405
        case .notAcceptable: 406
        case .requestTooSlow: 408
        case .noLightSensor, .stillRunning: 409
        case .leaseEnded: 410
        case .lengthRequired: 411
        case .revisionChanged: 412
        case .bodyTooLarge: 413
        case .targetTooLong: 414
        case .unsupportedMediaType: 415
        case .hostNotServed: 421
        case .invalidBody, .keyReused: 422
        case .upgradeRequired: 426
        case .tooManyCalls, .tooManyClientStreams, .tooManyClientConnections, .tooManyConnects, .tooManyWrites: 429
        case .headTooLarge: 431
        case .displayUnavailable, .tooManyStreams, .tooManyConnections, .tooManyLeases, .historyUnavailable,
            .noReading, .metricsUnavailable:
            503
        }
    }

    package var title: String {
        switch self {
        case .malformedBody: "The body is not JSON"
        case .malformedQuery: "A query parameter makes no sense"
        case .malformedField: "A header field makes no sense"
        case .ambiguousMessage: "The message has no single meaning"
        case .tokenNeeded: "A token is needed"
        case .unknownToken: "This token is not known here"
        case .scopeMissing: "This token may not do that"
        case .readOnly: "This server is read-only"
        case .foreignOrigin: "This page may not do that"
        case .foreignUser: "This user may not do that"
        case .foreignLease: "Lease of another principal"
        case .notFound: "There is nothing here"
        case .unknownDisplay: "There is no such display"
        case .unknownLease: "There is no such lease"
        case .unknownLight: "Nothing is known of the light"
        case .methodNotAllowed: "This method has no meaning here"
        case .notAcceptable: "No such representation"
        case .requestTooSlow: "The request took too long"
        case .noLightSensor: "There is no light sensor"
        case .stillRunning: "The first request is still under way"
        case .leaseEnded: "The lease has ended"
        case .lengthRequired: "A body is needed"
        case .revisionChanged: "The display has changed meanwhile"
        case .bodyTooLarge: "The body is too large"
        case .targetTooLong: "The URL is too long"
        case .unsupportedMediaType: "The body's type is not known here"
        case .hostNotServed: "This host name is not served here"
        case .invalidBody: "The body says something impossible"
        case .keyReused: "The key was used for something else"
        case .upgradeRequired: "Only a WebSocket is here"
        case .tooManyCalls: "Too many calls at a time"
        case .tooManyClientStreams: "This client has too many streams"
        case .tooManyClientConnections: "This client has too many connections"
        case .tooManyConnects: "This client connects too often"
        case .tooManyWrites: "This client changes things too often"
        case .headTooLarge: "The header fields are too large"
        case .displayUnavailable: "The display is not available"
        case .tooManyStreams: "There is no room for another stream"
        case .tooManyConnections: "There is no room for another connection"
        case .tooManyLeases: "The display has too many leases"
        case .historyUnavailable: "The history is not available"
        case .noReading: "There is no reading of the light"
        case .metricsUnavailable: "The metrics are not available"
        }
    }

    /// What it means and what to do, for whoever opens the `type` in a browser.
    package var explanation: String {
        switch self {
        case .malformedBody:
            "The request's body is empty or cannot be read as JSON. Send one JSON object, such as {\"brightness\":0.5}."
        case .malformedQuery:
            "A query parameter has a value that is not among those documented in /openapi.yaml."
        case .malformedField:
            "A header field has a value that is not among those documented in /openapi.yaml."
        case .ambiguousMessage:
            "Two programs could read this request in two ways: two lengths, a length beside a transfer encoding, two "
                + "hosts, none at all, or a field name that is no token. Such requests are refused and the connection "
                + "is closed. A program that sends them is broken, or something between it and this server is."
        case .tokenNeeded:
            "The daemon asks who you are. Send a token that is in its --token-file: Authorization: Bearer TOKEN. A browser "
                + "that opens a stream or a WebSocket may send ?access_token=TOKEN instead."
        case .unknownToken:
            "The request has a token that is not in the daemon's --token-file. It may have been revoked, or the daemon has "
                + "not read the file since it was added: SIGHUP makes it."
        case .scopeMissing:
            "The token is known but may not do this. Its scopes are in the daemon's --token-file: read sees, write "
                + "changes the brightness and boosts, admin also ends everybody's boosts."
        case .readOnly:
            "The daemon was started with --anonymous read: everybody may look, nobody may change anything."
        case .foreignOrigin:
            "A web page from another origin wanted to change something, or to open a stream or a WebSocket. Start the daemon with "
                + "--allow-origin and that page's origin, such as --allow-origin https://kiosk.example, to let it."
        case .foreignUser:
            "Over its Unix socket the daemon knows who asks. The owner of the socket's file and root may do everything, its group "
                + "may change the brightness and boost, and everybody else may look. A token in the daemon's --token-file gives "
                + "more."
        case .foreignLease:
            "A lease belongs to the principal that took it: a token's name, a user of the Unix socket (uid:N), mqtt, or anonymous. "
                + "Others need the scope admin to read, renew or release it by its URL. GET on the display's boosts lists all "
                + "leases with their principals."
        case .notFound:
            "No resource has this path. /openapi.yaml lists all there are."
        case .unknownDisplay:
            "No display has this id. GET /v1/displays lists those there are."
        case .unknownLease:
            "No lease has this id, or it ended so long ago that it is forgotten."
        case .unknownLight:
            "This machine has no light sensor that the daemon can read, or none has said anything yet. A real display's "
                + "brightness, as another program sets it, would stand in for one."
        case .methodNotAllowed:
            "The resource exists but cannot do that. The field Allow says what it can."
        case .notAcceptable:
            "The request's Accept admits nothing that is to be had here: application/json for states, "
                + "text/event-stream for /v1/events."
        case .requestTooSlow:
            "A request's head has ten seconds to arrive, its body half a minute, however steadily they come. The request was "
                + "not carried out. Open a new connection and send it again."
        case .noLightSensor:
            "Automatic brightness needs a light sensor, and this daemon has none. The brightness of a display that stands in "
                + "for one in /v1/ambient cannot be followed: the display would follow itself."
        case .stillRunning:
            "A request with the same Idempotency-Key has not been answered yet. Ask again in a moment for its answer."
        case .leaseEnded:
            "The lease was released, or its time is over. Boost again to get a new one."
        case .lengthRequired:
            "This request needs a body, and its length: Content-Length or Transfer-Encoding: chunked."
        case .revisionChanged:
            "The condition in If-Match does not hold: somebody was quicker. Read the state again, then decide."
        case .bodyTooLarge:
            "Bodies have at most 16 KiB here."
        case .targetTooLong:
            "URLs have at most 2 KiB here, the query included."
        case .unsupportedMediaType:
            "Bodies are JSON here: send Content-Type: application/json (with curl: --json)."
        case .hostNotServed:
            "The Host field names a host that is neither an IP address nor localhost. This protects against DNS "
                + "rebinding. Start the daemon with --allow-host and the name to serve it."
        case .invalidBody:
            "The body is JSON, but a member is unknown, missing, of the wrong type or out of range. The member errors "
                + "points to it."
        case .keyReused:
            "An Idempotency-Key stands for one request: the same path and the same body. It is remembered for ten "
                + "minutes. Use a new key for a new request."
        case .upgradeRequired:
            "This resource is a WebSocket (RFC 6455), version 13. Open it with a WebSocket client: in a browser "
                + "new WebSocket(\"ws://localhost:8787/v1/ws\"). /v1/events has the same events over plain HTTP."
        case .tooManyCalls:
            "At most 64 calls of a WebSocket wait for an answer at a time, and a batch has at most 64. A call for all displays "
                + "counts as one for each: after the first one, at most 256 displays together. Wait for some answers, or ask in "
                + "smaller batches."
        case .tooManyClientStreams:
            "One address may hold so many event streams and WebSockets and no more. Many tabs, or many kiosks behind one "
                + "proxy, are a usual reason: start the daemon with a larger --streams-per-client, or with none."
        case .tooManyClientConnections:
            "One address may have so many connections at a time and no more, streams and WebSockets not counted, so that it "
                + "leaves room for others. The request was not read. Clients that open a connection for each request and let "
                + "it lie are a usual reason; where many people are behind one proxy, start the daemon with a larger "
                + "--connections-per-client, or with none."
        case .tooManyConnects:
            "One address may connect so many times a second and no more. The request was not read. Keep a connection open for "
                + "the next request; where many people are behind one proxy, start the daemon with a larger "
                + "--connects-per-second, or with none."
        case .tooManyWrites:
            "One client, told by its token or else its address, may change something so many times a second and no more. "
                + "Wait as long as Retry-After says. Many people behind one proxy are a usual reason: start the daemon with a "
                + "larger --writes-per-second, or with none."
        case .headTooLarge:
            "Header fields have at most 8 KiB together here. Many cookies are a usual reason: browsers send those of "
                + "localhost to every port."
        case .displayUnavailable:
            "The panel is unplugged, or does not let this daemon set it: see \"Permissions\" in the README. It is "
                + "tried again by itself."
        case .tooManyStreams:
            "Every descriptor for streams is taken. Close some, or raise the limit of open files of the daemon."
        case .tooManyConnections:
            "Every descriptor for connections is taken, and has been for a while. Clients that keep idle connections open are "
                + "a usual reason, or a low limit of open files. The request was not read."
        case .tooManyLeases:
            "A display has at most 1,024 leases at a time. Holders that boost again should name themselves, so that they "
                + "renew their lease instead of getting another."
        case .historyUnavailable:
            "The daemon's file cannot be read at the moment, or too many ask for the history at once. Everything else works "
                + "all the same. The daemon's log says what is wrong with the file."
        case .noReading:
            "No light sensor of this machine has had a good reading in the last 15 seconds, or there is none. What stands in for "
                + "a sensor elsewhere has no lux, and none is invented."
        case .metricsUnavailable:
            "A thread of the daemon has not answered for five seconds, or the daemon is about to end. If it lasts, a thread is stuck; "
                + "systemd's watchdog ends such a daemon."
        }
    }
}
