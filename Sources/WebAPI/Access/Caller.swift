// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import HTTPServer

/// The client of a request: its principal, scope and token.
struct Caller: Sendable {
    /// The owner of the leases it takes.
    let principal: Principal
    /// `nil` without any permission.
    let scope: Scope?
    /// The displays that it may change; `nil` for every display.
    var limit: DisplaySelector? { grant?.token.limit }
    /// The token it sent; `nil` without one.
    var grant: TokenGrant?
    /// Whether the daemon has tokens, so that one could grant more.
    let hasTokens: Bool
    /// Whether it uses the Unix socket without a token.
    var isLocal = false

    /// The token's name: the default holder, and the `by` of causes.
    var name: String? { grant?.token.name }

    var requester: Requester { Requester(principal, isAdmin: scope == .admin) }

    func require(_ wanted: Scope) throws(Problem) {
        if let scope, scope >= wanted { return }
        if grant != nil {
            throw Problem(
                .forbidden,
                "This request requires the scope \(wanted.rawValue); the token has \(scope?.rawValue ?? "none"). "
                    + "Nothing was changed.",
                fields: [Self.challenge("error=\"insufficient_scope\", scope=\"\(wanted.rawValue)\"")]
            )
        }
        if isLocal, !hasTokens {
            throw Problem(
                .forbidden,
                "This request requires the scope \(wanted.rawValue). On the Unix socket its owner and root have "
                    + "admin, its group write, other users read. Nothing was changed."
            )
        }
        guard hasTokens else {
            throw Problem(
                .forbidden,
                "The daemon is read-only for clients without a token (--anonymous read, or "
                    + "BRIGHTNESSD_ANONYMOUS=read). Nothing was changed."
            )
        }
        throw Problem(
            .unauthorized,
            "This request requires a token with the scope \(wanted.rawValue): send Authorization: Bearer TOKEN.",
            fields: [Self.challenge("scope=\"\(wanted.rawValue)\"")]
        )
    }

    /// Throws a problem if the caller is limited to some displays: for an operation on the machine itself, such as its
    /// schedules.
    ///
    /// - Parameter own: The displays of this machine, for an operation that is also allowed to a caller whose limit
    ///   includes all of them.
    func requireMachine(_ own: [DisplayState]? = nil) throws(Problem) {
        guard let limit else { return }
        if let own, own.allSatisfy(limit.includes) { return }
        throw .outsideLimit(limit, "may not use what concerns every display of the machine")
    }

    /// The field that names the required authentication (RFC 6750, section 3).
    static func challenge(_ details: String) -> (String, String) {
        ("WWW-Authenticate", "Bearer realm=\"brightnessd\", \(details)")
    }
}

/// The permissions of a caller. Each scope includes the previous ones.
package enum Scope: String, Sendable, CaseIterable, Comparable {
    /// Reads states, streams and the history.
    case read
    /// Sets the brightness, boosts, and ends its own boosts.
    case write
    /// Ends every principal's leases, and changes schedules and settings.
    case admin

    init(of role: SocketFileRole) {
        switch role {
        case .owner: self = .admin
        case .group: self = .write
        case .other: self = .read
        }
    }

    private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }

    package static func < (left: Scope, right: Scope) -> Bool { left.rank < right.rank }
}

extension Command {
    var scope: Scope { isForAdmin ? .admin : .write }
}
