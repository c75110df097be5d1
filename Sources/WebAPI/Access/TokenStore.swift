// SPDX-License-Identifier: Apache-2.0
import HTTPServer
import Synchronization

/// A token that is in force, or was: what requests and streams were let in with. Any thread.
final class Grant: StreamPermit {
    let token: Token
    private let revoked = Atomic(false)

    init(_ token: Token) { self.token = token }

    var isValid: Bool { !revoked.load(ordering: .relaxed) }

    fileprivate func revoke() { revoked.store(true, ordering: .relaxed) }
}

/// The tokens in force. One for all shards; any thread.
package final class TokenStore: Sendable {
    private let grants: Mutex<[Grant]>

    package init(_ tokens: [Token]) { grants = Mutex(tokens.map(Grant.init)) }

    /// From now on these. What was let in with a token that is not among them, or whose line is another now, ends.
    ///
    /// - Returns: How many are new, and how many are revoked.
    @discardableResult
    package func replace(with tokens: [Token]) -> (added: Int, revoked: Int) {
        grants.withLock { grants in
            let kept = grants.filter { tokens.contains($0.token) }
            for grant in grants where !tokens.contains(grant.token) { grant.revoke() }
            let revoked = grants.count - kept.count
            let added = tokens.filter { token in !kept.contains { $0.token == token } }
            grants = kept + added.map(Grant.init)
            return (added.count, revoked)
        }
    }

    /// Whose secret this is. All are compared, each in the same time, so that nobody learns a secret from how long it takes.
    func grant(for secret: String) -> Grant? {
        let digest = SecretDigest(of: secret)
        var found: Grant?
        for grant in grants.withLock({ $0 }) where grant.token.digest.isSame(as: digest) { found = grant }
        return found
    }
}
