// SPDX-License-Identifier: Apache-2.0
import BrightnessAPI
import BrightnessCore
package import HTTPServer
import Synchronization

/// Who writes: whoever has a token is counted by it, wherever they come from, and others by their address.
enum Writer: Hashable {
    case token(String)
    case address(ClientAddress)
    /// All for whom there is no room in the list.
    case others

    init(_ authority: Authority, at address: ClientAddress) {
        self = authority.grant.map { .token($0.token.name) } ?? .address(address)
    }
}

/// What each writer has left. Rules only; time is an argument.
struct WriteQuotas {
    /// How many writers are told apart. Whoever has not written for a window needs no place.
    static let most = 4_096

    let quota: WriteQuota
    /// When each writer's bucket is full again.
    private var full: [Writer: Instant] = [:]
    private var nextSweep: Instant?

    init(_ quota: WriteQuota) { self.quota = quota }

    /// Takes one write. A refused one takes nothing.
    mutating func take(_ writer: Writer, at now: Instant) -> WriteQuota.Left {
        let place = place(for: writer, at: now)
        return quota.take(&full[place], at: now)
    }

    private mutating func place(for writer: Writer, at now: Instant) -> Writer {
        if full[writer] != nil || full.count < Self.most { return writer }
        if nextSweep ?? now <= now {
            nextSweep = now + .seconds(1)
            full = full.filter { $0.value > now }
        }
        return full.count < Self.most ? writer : .others
    }
}

extension ClientLimit {
    /// Writes a second. A client that drags a slider of the dashboard sends 17.
    package static let usualWrites = ClientLimit(50, sparesLoopback: true)
}

/// Refuses the writes of clients that send too many. One for all shards; any thread.
package final class WriteLimit: Sendable {
    private let limit: ClientLimit
    private let quotas: Mutex<WriteQuotas>

    /// - Parameter limit: Writes a second of one client, over a while.
    package init(_ limit: ClientLimit = .usualWrites) {
        self.limit = limit
        quotas = Mutex(WriteQuotas(WriteQuota(perSecond: limit.count)))
    }

    /// Counts a write.
    ///
    /// - Returns: Header fields that report what is left; none for clients that are not counted.
    /// - Throws: The refusal.
    func count(
        _ authority: Authority,
        at address: ClientAddress,
        now: () -> Moment
    ) throws(Problem) -> [Response.Field] {
        guard limit.counts(address) else { return [] }
        let writer = Writer(authority, at: address), now = now().instant
        let (left, quota) = quotas.withLock { ($0.take(writer, at: now), $0.quota) }
        if left.isEnough { return quota.fields(left) }
        throw quota.problem(left, of: "This client")
    }
}
