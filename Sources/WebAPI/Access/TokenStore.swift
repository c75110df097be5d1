// SPDX-License-Identifier: Apache-2.0
import HTTPServer
import Synchronization

/// A token while it is valid: requests and streams hold it, and streams end when it is revoked. Any thread.
final class TokenGrant: StreamAuthorization {
    let token: Token
    private let revoked = Atomic(false)

    init(_ token: Token) { self.token = token }

    var isValid: Bool { !revoked.load(ordering: .relaxed) }

    fileprivate func revoke() { revoked.store(true, ordering: .relaxed) }
}

/// The valid tokens. One for all shards; any thread.
package final class TokenStore: Sendable {
    private let grants: Mutex<[TokenGrant]>

    package init(_ tokens: [Token]) { grants = Mutex(tokens.map(TokenGrant.init)) }

    /// Replaces the tokens. Streams opened with a removed or changed token end.
    @discardableResult
    package func replace(with tokens: [Token]) -> (added: Int, revoked: Int) {
        grants.withLock { grants in
            let kept = grants.filter { tokens.contains($0.token) }
            for grant in grants where !tokens.contains(grant.token) { grant.revoke() }
            let revoked = grants.count - kept.count
            let added = tokens.filter { token in !kept.contains { $0.token == token } }
            grants = kept + added.map(TokenGrant.init)
            return (added.count, revoked)
        }
    }

    /// Returns the grant of a secret. Every token is compared, in constant time.
    func grant(for secret: String) -> TokenGrant? {
        let digest = SecretDigest(of: secret)
        var found: TokenGrant?
        for grant in grants.withLock({ $0 }) where grant.token.digest.isSame(as: digest) { found = grant }
        return found
    }
}
