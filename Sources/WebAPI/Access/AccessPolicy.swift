// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import HTTPServer
import Support

/// The access rules: allowed hosts against DNS rebinding, allowed origins against foreign pages, tokens, and the scope
/// of clients without one.
///
/// A rebinding attack needs a name, so IP literals and `localhost` are always allowed.
package struct AccessPolicy: Sendable {
    /// The scope of clients without a token.
    package enum Anonymous: String, Sendable, CaseIterable {
        case read, write

        var scope: Scope { self == .write ? .write : .read }
    }

    private let hosts: Set<String>
    private let origins: Set<String>
    private let anonymous: Anonymous?
    private let tokens: TokenStore?
    private let trustsLoopbackPages: Bool
    private let refusedOrigins: RefusedOrigins?
    /// The last allowed `Host`, which is nearly always the next one too.
    private var servedHost = CachedText("127.0.0.1")

    /// - Parameters:
    ///   - hosts: Names that are allowed next to IP literals and `localhost`. A page that rebinds its own name to this
    ///     machine has another host.
    ///   - origins: Origins whose pages may write and stream, such as `https://kiosk.example`.
    ///   - anonymous: The scope of clients without a token; `nil` for none.
    ///   - tokens: `nil` without a token file: then the scope `write` includes `admin`.
    ///   - isOnLoopback: The server listens on loopback only; then pages of other local servers are allowed, too.
    ///   - refusedOrigins: Posts the origins of pages that are refused.
    package init(
        hosts: [String],
        origins: [String],
        anonymous: Anonymous?,
        tokens: TokenStore? = nil,
        isOnLoopback: Bool,
        refusedOrigins: RefusedOrigins? = nil
    ) {
        self.hosts = Set(hosts.map { $0.lowercased() })
        self.origins = Set(origins.map { $0.lowercased() })
        self.anonymous = anonymous
        self.tokens = tokens
        trustsLoopbackPages = isOnLoopback
        self.refusedOrigins = refusedOrigins
    }

    /// The result of checking a request's host and origin.
    struct OriginCheck {
        /// The origin that gets CORS fields.
        let allowedOrigin: String?
        /// The request comes from a page of another origin that is not allowed: it may neither write nor stream.
        let isForeign: Bool
        /// The origin that is not allowed; `nil` also for a foreign page whose browser omits it.
        fileprivate(set) var foreignOrigin: ForeignOrigin?
    }

    /// Whether a read needs no further check: the last allowed host, no token file, no origin. True for most requests.
    func admitsPlainly(_ request: Request) -> Bool {
        guard tokens == nil, request.authority == nil, let host = request.frequent.host, host == servedHost else {
            return false
        }
        return request.frequent.origin == nil
    }

    mutating func admit(_ request: Request) throws(Problem) -> OriginCheck {
        let field = request.frequent.host
        if request.authority != nil || field.map({ !($0 == servedHost) }) ?? false, let host = request.host {
            guard isServed(host) else {
                throw Problem(
                    .hostNotAllowed,
                    "The host \"\(host)\" is not allowed. Use the IP address, or start the daemon with --allow-host."
                )
            }
            if request.authority == nil { servedHost = CachedText(host) }
        }
        guard let origin = request.frequent.origin?.value else {
            // Browsers omit Origin in some requests, but not Sec-Fetch-Site.
            return OriginCheck(allowedOrigin: nil, isForeign: request.header("Sec-Fetch-Site") == "cross-site")
        }
        let isAllowed = Self.isOurs(origin, host: request.host) || isTrusted(origin)
        guard !isAllowed else { return OriginCheck(allowedOrigin: origin, isForeign: false) }
        return OriginCheck(allowedOrigin: nil, isForeign: true, foreignOrigin: ForeignOrigin(origin))
    }

    /// Returns the caller of a request, if it may make it. Reports an origin that may not.
    ///
    /// - Parameters:
    ///   - scope: The required scope; `nil` for public resources.
    ///   - streams: Whether it opens a stream or a WebSocket, for which a browser sends the token in the query.
    func authorize(
        _ check: OriginCheck,
        _ request: Request,
        needs scope: Scope?,
        streams: Bool
    ) throws(Problem) -> Caller {
        let writes = (scope ?? .read) > .read
        // A page that will use the daemon asks for /livez first; other public resources are for every page.
        if scope != nil || request.path == "/livez", let origin = check.foreignOrigin { refusedOrigins?.report(origin) }
        if check.isForeign, writes || streams {
            let pages = check.foreignOrigin?.pages ?? "Pages of other sites"
            let advice = check.foreignOrigin?.advice ?? ForeignOrigin.unnamedAdvice
            throw Problem(.forbidden, "\(pages) may not \(writes ? "change displays" : "open streams"). \(advice)")
        }
        let caller = try caller(of: request, needs: scope, streams: streams)
        guard let scope else { return caller }
        do {
            try caller.require(scope)
        } catch {
            guard error.type == .unauthorized, !streams, request.query("access_token") != nil else { throw error }
            throw Problem(
                .unauthorized,
                "Only streams and WebSockets accept access_token in the query. Send Authorization: Bearer TOKEN.",
                fields: error.fields
            )
        }
        return caller
    }

    private func caller(of request: Request, needs required: Scope?, streams: Bool) throws(Problem) -> Caller {
        let user = request.localUser
        let principal = user.map { Principal.user($0.number) } ?? .anonymous
        guard let tokens else {
            let scope = user.map { Scope(of: $0.role) } ?? (anonymous == .write ? .admin : anonymous?.scope)
            return Caller(principal: principal, scope: scope, hasTokens: false, isLocal: user != nil)
        }
        guard let secret = Self.bearer(request) ?? (streams ? request.query("access_token") : nil) else {
            let scope = user.map { Scope(of: $0.role) } ?? anonymous?.scope
            return Caller(principal: principal, scope: scope, hasTokens: true)
        }
        guard let grant = tokens.grant(for: secret) else {
            // A public resource is served to clients without any permission, too.
            if required == nil { return Caller(principal: .anonymous, scope: nil, hasTokens: true) }
            throw Problem(
                .unauthorized,
                "The token is unknown or was revoked. Use one of the daemon's --token-file. Nothing was changed.",
                fields: [Caller.challenge("error=\"invalid_token\"")]
            )
        }
        return Caller(principal: Principal(grant.token.name), scope: grant.token.scope, grant: grant, hasTokens: true)
    }

    /// The token of `Authorization: Bearer …` (RFC 6750, section 2.1), after one or more spaces.
    private static func bearer(_ request: Request) -> String? {
        guard let field = request.header("Authorization") else { return nil }
        let parts = field.split(separator: " ", maxSplits: 1)
        guard parts.count == 2, parts[0].lowercased() == "bearer" else { return nil }
        return String(parts[1].drop { $0 == " " })
    }

    private func isServed(_ host: String) -> Bool {
        let name = HostName(host)
        return name.isAddress || name.isLocalhost || hosts.contains(name.text)
    }

    /// - Parameter origin: An origin, or the URL of a page.
    static func isOurs(_ origin: String, host: String?) -> Bool {
        guard let host, let ours = Self.host(of: origin) else { return false }
        return ours.lowercased() == host.lowercased()
    }

    private func isTrusted(_ origin: String) -> Bool {
        if origins.contains(origin.lowercased()) { return true }
        guard trustsLoopbackPages, let host = Self.host(of: origin) else { return false }
        return HostName(host).isLoopback
    }

    /// The host and port of an origin; `nil` for one of another scheme than HTTP and HTTPS, such as of an extension.
    private static func host(of origin: String) -> String? {
        guard let scheme = origin.firstRange(of: "://"),
            ["http", "https"].contains(origin[..<scheme.lowerBound].lowercased())
        else { return nil }
        return String(origin[scheme.upperBound...].prefix { $0 != "/" })
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
            // Only a port may follow the bracket.
            text = Self.isPort(rest) ? address.lowercased() : authority.lowercased()
        } else {
            // Only a port may follow a name: in `127.0.0.1:x@evil.example` the host is the last part.
            let name = authority.prefix { $0 != ":" }
            text = Self.isPort(authority[name.endIndex...]) ? name.lowercased() : authority.lowercased()
        }
    }

    /// Whether it is empty, or a colon with digits or none (RFC 3986, section 3.2.3).
    private static func isPort(_ text: Substring) -> Bool {
        text.isEmpty
            || (text.utf8.first == UInt8(ascii: ":") && text.utf8.dropFirst().allSatisfy(\.isDigit))
    }

    /// Whether it is a literal IP address, which no DNS record can redirect.
    var isAddress: Bool { SocketAddress(host: text, port: 0, isIPv6: isBracketed) != nil }

    var isLocalhost: Bool { text == "localhost" }

    var isLoopback: Bool { isLocalhost || (isAddress && (text == "::1" || (!isBracketed && text.hasPrefix("127.")))) }
}

extension Substring {
    /// The text before and after the first `character`; the second part is empty without one.
    fileprivate func split(at character: Character) -> (Substring, Substring) {
        guard let index = firstIndex(of: character) else { return (self, "") }
        return (self[..<index], self[self.index(after: index)...])
    }
}

/// The header fields for pages of other origins (WHATWG Fetch, "CORS protocol").
enum CORS {
    /// Lets every page read a response that has no secret.
    static let everyOrigin: Response.Field = ("Access-Control-Allow-Origin", "*")

    static func fields(for origin: String) -> [Response.Field] {
        [
            ("Access-Control-Allow-Origin", origin),
            (
                "Access-Control-Expose-Headers",
                "ETag, Location, RateLimit, RateLimit-Policy, Retry-After, WWW-Authenticate"
            ),
        ]
    }

    static func preflight(_ request: Request, allow: String) -> [Response.Field] {
        guard request.header("Access-Control-Request-Method") != nil else { return [] }
        let fields: [Response.Field] = [
            ("Access-Control-Allow-Methods", allow),
            (
                "Access-Control-Allow-Headers",
                "Authorization, Content-Type, If-Match, If-None-Match, Last-Event-ID, Prefer"
            ),
            ("Access-Control-Max-Age", "600"),
        ]
        // Chromium requires this before a page from the internet may connect to a private address.
        let isPrivate = request.header("Access-Control-Request-Private-Network") == "true"
        return fields + (isPrivate ? [("Access-Control-Allow-Private-Network", "true")] : [])
    }
}
