// SPDX-License-Identifier: Apache-2.0
package import BrightnessCore
package import HTTPServer
import Synchronization

/// The unit of the write rate limit: a token, else an address.
package enum Writer: Hashable, Sendable {
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
package final class WriteLimit: CommandQuotas, Sendable {
    private let limit: ClientLimit
    package let quota: WriteQuota
    private let quotas: Mutex<WriteQuotas<Writer>>

    /// - Parameter limit: Writes a second of one client.
    package init(_ limit: ClientLimit = .defaultWrites) {
        self.limit = limit
        quota = WriteQuota(perSecond: limit.count)
        quotas = Mutex(WriteQuotas(quota))
    }

    package func spend(_ writer: Writer, at now: Instant) -> WriteQuota.Remaining {
        quotas.withLock { $0.spend(writer, at: now) }
    }

    package func earliest(for writer: Writer, at now: Instant) -> Instant {
        quotas.withLock { $0.earliest(for: writer, at: now) }
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
        let left = spend(Writer(caller, at: address), at: now().instant)
        if left.isEnough { return quota.fields(left) }
        throw quota.problem(left, of: "This client")
    }
}
