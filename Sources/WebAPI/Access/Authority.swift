// SPDX-License-Identifier: Apache-2.0
import BrightnessAPI
import BrightnessCore
import HTTPServer

/// Who asks, as far as that matters: what they may do, and until when.
struct Authority: Sendable {
    /// Whose leases theirs are.
    let principal: Principal
    /// What they may do; `nil` for nothing that is asked for here.
    let scope: Scope?
    /// The token they came with; `nil` for somebody without one.
    let grant: Grant?
    /// Whether a token could change anything.
    let hasTokens: Bool
    /// They came by a Unix socket, and without a token.
    let isLocal: Bool

    init(_ principal: Principal, scope: Scope?, hasTokens: Bool, isLocal: Bool = false) {
        self.principal = principal
        self.scope = scope
        grant = nil
        self.hasTokens = hasTokens
        self.isLocal = isLocal
    }

    init(of grant: Grant) {
        principal = Principal(grant.token.name)
        scope = grant.token.scope
        self.grant = grant
        hasTokens = true
        isLocal = false
    }

    /// The token's name: the holder where a request names none, and who a cause is `by`.
    var name: String? { grant?.token.name }

    var asker: Asker { Asker(principal, isAdmin: scope == .admin) }

    /// Refuses whoever may not do what needs this scope.
    func require(_ wanted: Scope) throws(Problem) {
        if let scope, scope >= wanted { return }
        if grant != nil {
            throw Problem(
                .scopeMissing,
                "This needs a token with the scope \(wanted.rawValue). Nothing was changed.",
                fields: [Self.challenge("error=\"insufficient_scope\", scope=\"\(wanted.rawValue)\"")]
            )
        }
        if isLocal, !hasTokens {
            throw Problem(
                .foreignUser,
                "The owner of the daemon's socket may do this, and its group what needs no scope admin. Nothing was changed."
            )
        }
        guard hasTokens else {
            throw Problem(.readOnly, "The daemon was started with --anonymous read. Nothing was changed.")
        }
        throw Problem(
            .tokenNeeded,
            "This needs a token with the scope \(wanted.rawValue): send it as Authorization: Bearer TOKEN.",
            fields: [Self.challenge("scope=\"\(wanted.rawValue)\"")]
        )
    }

    /// What tells a client how to come back (RFC 6750, section 3).
    static func challenge(_ details: String) -> (String, String) {
        ("WWW-Authenticate", "Bearer realm=\"brightnessd\", \(details)")
    }
}

/// What somebody may do. Each includes those before it.
package enum Scope: String, Sendable, CaseIterable, Comparable {
    /// See states, streams and the history.
    case read
    /// Change the brightness, boost, and end one's own boosts.
    case write
    /// End everybody's boosts, one or all.
    case admin

    /// What whoever comes by a Unix socket may do.
    init(of standing: LocalStanding) {
        switch standing {
        case .owner: self = .admin
        case .group: self = .write
        case .other: self = .read
        }
    }

    private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }

    package static func < (left: Scope, right: Scope) -> Bool { left.rank < right.rank }
}

extension Command {
    /// What it needs: one's own boosts are one's own, those of others are not.
    var scope: Scope { if case .restoreAll = action { .admin } else { .write } }
}
