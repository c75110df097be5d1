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

    package var status: Int {
        switch self {
        case .invalidJSON, .invalidRequest, .unsupportedField: 400
        case .unauthorized: 401
        case .forbidden: 403
        case .notFound, .displayNotFound, .leaseNotFound: 404
        case .methodNotAllowed: 405
        case .notAcceptable: 406
        case .requestTimeout: 408
        case .noLightSensor, .displayExists, .notDimmable, .notSwitchable, .commandNotSupported: 409
        case .leaseEnded: 410
        case .lengthRequired: 411
        case .preconditionFailed: 412
        case .bodyTooLarge: 413
        case .urlTooLong: 414
        case .unsupportedMediaType: 415
        case .hostNotAllowed: 421
        case .invalidBody: 422
        case .upgradeRequired: 426
        case .rateLimited, .clientLimitReached: 429
        case .headersTooLarge: 431
        case .displayUnavailable, .serverLimitReached, .temporarilyUnavailable: 503
        }
    }

    package var title: String {
        switch self {
        case .invalidJSON: "Invalid JSON"
        case .invalidRequest: "Invalid request"
        case .unsupportedField: "Unsupported header field"
        case .unauthorized: "Token required"
        case .forbidden: "Permission denied"
        case .notFound: "Not found"
        case .displayNotFound: "Display not found"
        case .leaseNotFound: "Lease not found"
        case .methodNotAllowed: "Method not allowed"
        case .notAcceptable: "Not acceptable"
        case .requestTimeout: "Request timeout"
        case .noLightSensor: "No light sensor"
        case .displayExists: "Display exists"
        case .notDimmable: "Display cannot be dimmed"
        case .notSwitchable: "Display cannot be switched"
        case .commandNotSupported: "Command not supported"
        case .leaseEnded: "Lease ended"
        case .lengthRequired: "Length required"
        case .preconditionFailed: "Precondition failed"
        case .bodyTooLarge: "Body too large"
        case .urlTooLong: "URL too long"
        case .unsupportedMediaType: "Unsupported media type"
        case .hostNotAllowed: "Host not allowed"
        case .invalidBody: "Invalid body"
        case .upgradeRequired: "WebSocket upgrade required"
        case .rateLimited: "Rate limit exceeded"
        case .clientLimitReached: "Client limit reached"
        case .headersTooLarge: "Header fields too large"
        case .displayUnavailable: "Display unavailable"
        case .serverLimitReached: "Server limit reached"
        case .temporarilyUnavailable: "Temporarily unavailable"
        }
    }
}
