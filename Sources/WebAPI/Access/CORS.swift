// SPDX-License-Identifier: Apache-2.0
import HTTPServer

/// The fields that tell a browser what a page of another origin may do (WHATWG Fetch, "CORS protocol").
enum CORS {
    static func fields(for origin: String) -> [Response.Field] {
        [
            ("Access-Control-Allow-Origin", origin),
            (
                "Access-Control-Expose-Headers",
                "ETag, Location, RateLimit, RateLimit-Policy, Retry-After, WWW-Authenticate"
            ),
        ]
    }

    /// The answer to a preflight, beside `fields`.
    static func preflight(_ request: Request, allow: String) -> [Response.Field] {
        guard request.header("Access-Control-Request-Method") != nil else { return [] }
        let fields: [Response.Field] = [
            ("Access-Control-Allow-Methods", allow),
            (
                "Access-Control-Allow-Headers",
                "Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, Last-Event-ID"
            ),
            ("Access-Control-Max-Age", "600"),
        ]
        // Chromium asks this before a page from the internet may talk to this machine.
        let isPrivate = request.header("Access-Control-Request-Private-Network") == "true"
        return fields + (isPrivate ? [("Access-Control-Allow-Private-Network", "true")] : [])
    }
}
