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

    package var status: Int { heading.status }

    package var title: String { heading.title }

    private var heading: (status: Int, title: String) {
        switch self {
        case .invalidJSON: (400, "Invalid JSON")
        case .invalidRequest: (400, "Invalid request")
        case .unsupportedField: (400, "Unsupported header field")
        case .unauthorized: (401, "Token required")
        case .forbidden: (403, "Permission denied")
        case .notFound: (404, "Not found")
        case .displayNotFound: (404, "Display not found")
        case .leaseNotFound: (404, "Lease not found")
        case .methodNotAllowed: (405, "Method not allowed")
        case .notAcceptable: (406, "Not acceptable")
        case .requestTimeout: (408, "Request timeout")
        case .noLightSensor: (409, "No light sensor")
        case .displayExists: (409, "Display exists")
        case .notDimmable: (409, "Display cannot be dimmed")
        case .notSwitchable: (409, "Display cannot be switched")
        case .commandNotSupported: (409, "Command not supported")
        case .leaseEnded: (410, "Lease ended")
        case .lengthRequired: (411, "Length required")
        case .preconditionFailed: (412, "Precondition failed")
        case .bodyTooLarge: (413, "Body too large")
        case .urlTooLong: (414, "URL too long")
        case .unsupportedMediaType: (415, "Unsupported media type")
        case .hostNotAllowed: (421, "Host not allowed")
        case .invalidBody: (422, "Invalid body")
        case .upgradeRequired: (426, "WebSocket upgrade required")
        case .rateLimited: (429, "Rate limit exceeded")
        case .clientLimitReached: (429, "Client limit reached")
        case .headersTooLarge: (431, "Header fields too large")
        case .displayUnavailable: (503, "Display unavailable")
        case .serverLimitReached: (503, "Server limit reached")
        case .temporarilyUnavailable: (503, "Temporarily unavailable")
        }
    }
}
