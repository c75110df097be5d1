// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
package import HTTPServer
import Synchronization

/// The unit of the write rate limit: a token, else an address.
enum Writer: Hashable {
    case token(String)
    case address(ClientAddress)

    init(_ caller: Caller, at address: ClientAddress) {
        self = caller.grant.map { .token($0.token.name) } ?? .address(address)
    }
}

extension ClientLimit {
    /// Writes a second. Dragging a slider of the dashboard sends 17.
    package static let defaultWrites = ClientLimit(50, sparesLoopback: true)
}

/// The write rate limit of clients. One for all shards; any thread.
package final class WriteLimit: Sendable {
    private let limit: ClientLimit
    private let quotas: Mutex<WriteQuotas<Writer>>

    /// - Parameter limit: Writes a second of one client.
    package init(_ limit: ClientLimit = .defaultWrites) {
        self.limit = limit
        quotas = Mutex(WriteQuotas(WriteQuota(perSecond: limit.count)))
    }

    /// Returns the earliest time at which `count` may accept a write.
    func room(_ caller: Caller, at address: ClientAddress, now: Instant) -> Instant {
        quotas.withLock { $0.room(for: Writer(caller, at: address), at: now) }
    }

    /// The problem of a write that a newer one replaced while it waited.
    var skipped: Problem { quotas.withLock { $0.quota.skipped } }

    /// Counts a write.
    ///
    /// - Returns: Header fields with the remaining writes; none for clients without a limit.
    /// - Throws: The problem of a rejected write.
    func count(
        _ caller: Caller,
        at address: ClientAddress,
        now: () -> Moment
    ) throws(Problem) -> [Response.Field] {
        guard limit.counts(address) else { return [] }
        let writer = Writer(caller, at: address), now = now().instant
        let (left, quota) = quotas.withLock { ($0.spend(writer, at: now), $0.quota) }
        if left.isEnough { return quota.fields(left) }
        throw quota.problem(left, of: "This client")
    }
}
