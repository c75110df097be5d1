// SPDX-License-Identifier: Apache-2.0
import BrightnessAPI
import BrightnessCore
import HTTPServer

/// Who may do what: host names against DNS rebinding, origins against foreign pages, tokens, and what is left to those
/// without one.
///
/// A rebinding attack needs a name, so IP literals and `localhost` are always served.
package struct AccessPolicy: Sendable {
    /// What somebody without a token may do.
    package enum Anonymous: String, Sendable, CaseIterable {
        case read, write

        var scope: Scope { self == .write ? .write : .read }
    }

    private let hosts: Set<String>
    private let origins: Set<String>
    private let anonymous: Anonymous?
    private let tokens: TokenStore?
    private let trustsLoopbackPages: Bool
    /// The last `Host` that was found to be served: nearly always the next one too.
    private var servedHost = KeptText("127.0.0.1")

    /// - Parameters:
    ///   - hosts: Names that are served beside IP literals and `localhost`.
    ///   - origins: Origins whose pages may write and stream, such as `https://kiosk.example`.
    ///   - anonymous: What somebody without a token may do; `nil` for nothing.
    ///   - tokens: `nil` if there are none: then whoever may write may do everything.
    ///   - isOnLoopback: The server listens on loopback only; then pages of other local servers may, too.
    package init(
        hosts: [String],
        origins: [String],
        anonymous: Anonymous?,
        tokens: TokenStore? = nil,
        isOnLoopback: Bool
    ) {
        self.hosts = Set(hosts.map { $0.lowercased() })
        self.origins = Set(origins.map { $0.lowercased() })
        self.anonymous = anonymous
        self.tokens = tokens
        trustsLoopbackPages = isOnLoopback
    }

    /// What a request may do, once it is let in.
    struct Admission {
        /// The origin that gets CORS fields.
        let allowedOrigin: String?
        /// It comes from a page that may only read, and not even that across origins.
        let isForeign: Bool
    }

    /// The case of most requests, told at once: the host is the last one that was served, nobody needs a token to read, and
    /// no page is behind it.
    func admitsPlainly(_ request: Request) -> Bool {
        guard tokens == nil, request.authority == nil, let host = request.frequent.host, host == servedHost else {
            return false
        }
        return request.frequent.origin == nil
    }

    mutating func admit(_ request: Request) throws(Problem) -> Admission {
        let field = request.frequent.host
        if request.authority != nil || field.map({ !($0 == servedHost) }) ?? false, let host = request.host {
            guard isServed(host) else {
                throw Problem(
                    .hostNotServed,
                    "The host \"\(host)\" is not served here. The daemon's --allow-host adds it."
                )
            }
            if request.authority == nil { servedHost = KeptText(host) }
        }
        guard let origin = request.frequent.origin?.value else {
            // Browsers leave Origin out of some requests, but not what they know of where those come from.
            return Admission(allowedOrigin: nil, isForeign: request.header("Sec-Fetch-Site") == "cross-site")
        }
        let isAllowed = isOurs(origin, host: request.host) || isTrusted(origin)
        return Admission(allowedOrigin: isAllowed ? origin : nil, isForeign: !isAllowed)
    }

    /// Refuses what a request may not do.
    ///
    /// - Parameters:
    ///   - scope: What it needs; `nil` for what everybody may see.
    ///   - streams: Whether it opens a stream or a WebSocket, for which a browser cannot send a token in a header.
    /// - Returns: What whoever asks may do.
    func check(
        _ admission: Admission,
        _ request: Request,
        needs scope: Scope?,
        streams: Bool
    ) throws(Problem) -> Authority {
        let writes = scope ?? .read > .read
        if admission.isForeign, writes || streams {
            throw Problem(
                .foreignOrigin,
                "Pages of this origin may not \(writes ? "change anything" : "open a stream") here. "
                    + "The daemon's --allow-origin lets them."
            )
        }
        let authority = try authority(of: request, streams: streams)
        if let scope { try authority.require(scope) }
        return authority
    }

    private func authority(of request: Request, streams: Bool) throws(Problem) -> Authority {
        let user = request.localUser
        let principal = user.map { Principal.user($0.number) } ?? .anonymous
        guard let tokens else {
            let scope = user.map { Scope(of: $0.standing) } ?? (anonymous == .write ? .admin : anonymous?.scope)
            return Authority(principal, scope: scope, hasTokens: false, isLocal: user != nil)
        }
        guard let secret = Self.bearer(request) ?? (streams ? request.query("access_token") : nil) else {
            let scope = user.map { Scope(of: $0.standing) } ?? anonymous?.scope
            return Authority(principal, scope: scope, hasTokens: true)
        }
        guard let grant = tokens.grant(for: secret) else {
            throw Problem(
                .unknownToken,
                "No such token is known here, or it was revoked. Nothing was changed.",
                fields: [Authority.challenge("error=\"invalid_token\"")]
            )
        }
        return Authority(of: grant)
    }

    /// The token of `Authorization: Bearer …` (RFC 6750, section 2.1).
    private static func bearer(_ request: Request) -> String? {
        guard let field = request.header("Authorization") else { return nil }
        let parts = field.split(separator: " ", maxSplits: 1)
        guard parts.count == 2, parts[0].lowercased() == "bearer" else { return nil }
        return String(parts[1])
    }

    private func isServed(_ host: String) -> Bool {
        let name = HostName(host)
        return name.isAddress || name.isLocalhost || hosts.contains(name.text)
    }

    private func isOurs(_ origin: String, host: String?) -> Bool {
        guard let host, let scheme = origin.firstRange(of: "://") else { return false }
        return origin[scheme.upperBound...].lowercased() == host.lowercased()
    }

    private func isTrusted(_ origin: String) -> Bool {
        if origins.contains(origin.lowercased()) { return true }
        guard trustsLoopbackPages, let scheme = origin.firstRange(of: "://") else { return false }
        return HostName(String(origin[scheme.upperBound...])).isLoopback
    }
}

/// The host part of a `Host` field or an origin, without its port.
struct HostName {
    /// In lower case; an IPv6 address without its brackets.
    let text: String
    private let isBracketed: Bool

    init(_ authority: String) {
        isBracketed = authority.hasPrefix("[")
        if isBracketed {
            let (address, rest) = authority.dropFirst().split(at: "]")
            // What follows the bracket is a port, or it is no address at all.
            text = Self.isPort(rest) ? address.lowercased() : authority.lowercased()
        } else {
            // What follows a name is a port, or it is no name: in `127.0.0.1:x@evil.example` the host is the last part.
            let name = authority.prefix { $0 != ":" }
            text = Self.isPort(authority[name.endIndex...]) ? name.lowercased() : authority.lowercased()
        }
    }

    /// Whether it is empty, or a colon with digits or none (RFC 3986, section 3.2.3).
    private static func isPort(_ text: Substring) -> Bool {
        text.isEmpty
            || text.utf8.first == UInt8(ascii: ":") && text.utf8.dropFirst().allSatisfy { (0x30...0x39).contains($0) }
    }

    /// A literal IP address: no name that somebody else's DNS could point here.
    var isAddress: Bool { IPAddress.isLiteral(text, isIPv6: isBracketed) }

    var isLocalhost: Bool { text == "localhost" }

    var isLoopback: Bool { isLocalhost || isAddress && (text == "::1" || !isBracketed && text.hasPrefix("127.")) }
}

extension Substring {
    /// What stands before and after the first `character`; nothing after it if there is none.
    fileprivate func split(at character: Character) -> (Substring, Substring) {
        guard let index = firstIndex(of: character) else { return (self, "") }
        return (self[..<index], self[self.index(after: index)...])
    }
}

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
