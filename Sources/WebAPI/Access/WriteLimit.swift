// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
package import HTTPServer
import Synchronization

/// The unit of the write rate limit: a token, else an address.
enum Writer: Hashable {
    case token(String)
    case address(ClientAddress)
    /// All writers beyond `WriteQuotas.limit`.
    case others

    init(_ caller: Caller, at address: ClientAddress) {
        self = caller.grant.map { .token($0.token.name) } ?? .address(address)
    }
}

/// The write quota of each writer. Rules only; time is an argument.
struct WriteQuotas {
    /// The most writers with a bucket of their own. A full bucket is not stored.
    static let limit = 4_096

    let quota: WriteQuota
    /// The times when buckets are full again.
    private var full: [Writer: Instant] = [:]
    private var nextSweep: Instant?

    init(_ quota: WriteQuota) { self.quota = quota }

    /// Spends one write. A rejected write spends nothing.
    mutating func spend(_ writer: Writer, at now: Instant) -> WriteQuota.Remaining {
        let key = key(for: writer, at: now)
        return quota.spend(&full[key], at: now)
    }

    private mutating func key(for writer: Writer, at now: Instant) -> Writer {
        if full[writer] != nil || full.count < Self.limit { return writer }
        if nextSweep ?? now <= now {
            nextSweep = now + .seconds(1)
            full = full.filter { $0.value > now }
        }
        return full.count < Self.limit ? writer : .others
    }
}

extension ClientLimit {
    /// Writes a second. Dragging a slider of the dashboard sends 17.
    package static let defaultWrites = ClientLimit(50, sparesLoopback: true)
}

/// The write rate limit of clients. One for all shards; any thread.
package final class WriteLimit: Sendable {
    private let limit: ClientLimit
    private let quotas: Mutex<WriteQuotas>

    /// - Parameter limit: Writes a second of one client.
    package init(_ limit: ClientLimit = .defaultWrites) {
        self.limit = limit
        quotas = Mutex(WriteQuotas(WriteQuota(perSecond: limit.count)))
    }

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
