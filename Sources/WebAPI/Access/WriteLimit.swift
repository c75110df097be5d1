// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
package import HTTPServer
import Synchronization

/// Who writes: whoever has a token is counted by it, wherever they come from, and others by their address.
enum Writer: Hashable {
    case token(String)
    case address(ClientAddress)
    /// All who ask over MQTT: which of its clients it was, a broker does not tell.
    case broker
    /// All for whom there is no room in the list.
    case others

    init(_ authority: Authority, at address: ClientAddress) {
        self = authority.grant.map { .token($0.token.name) } ?? .address(address)
    }
}

/// What each writer has left: a bucket of `quota` writes that fills in `window` seconds. Rules only; time is an argument.
struct WriteQuotas {
    /// How many writers are told apart. Whoever has not written for a window needs no place.
    static let most = 4_096
    /// Seconds. Twice the writes of a second may come at once.
    static let window = 2

    let quota: Int
    /// When each writer's bucket is full again.
    private var full: [Writer: Instant] = [:]
    private var nextSweep: Instant?

    init(perSecond: Int) { quota = min(max(1, perSecond), ClientLimit.largest) * Self.window }

    /// What is left after a write.
    struct Left: Equatable {
        let isEnough: Bool
        let writes: Int
        /// Seconds until the bucket is full; of a refused write, until it would not be.
        let seconds: Int
    }

    /// Takes one write. A refused one takes nothing.
    mutating func take(_ writer: Writer, at now: Instant) -> Left {
        let writer = place(for: writer, at: now)
        let window = Duration.seconds(Self.window)
        let one = window / quota
        let used = max(.zero, (full[writer] ?? now) - now)
        guard used + one <= window else {
            return Left(isEnough: false, writes: 0, seconds: Self.seconds(used + one - window))
        }
        full[writer] = now + used + one
        return Left(isEnough: true, writes: Int((window - used - one) / one), seconds: Self.seconds(used + one))
    }

    private mutating func place(for writer: Writer, at now: Instant) -> Writer {
        if full[writer] != nil || full.count < Self.most { return writer }
        if nextSweep ?? now <= now {
            nextSweep = now + .seconds(1)
            full = full.filter { $0.value > now }
        }
        return full.count < Self.most ? writer : .others
    }

    /// Rounded up.
    private static func seconds(_ duration: Duration) -> Int { max(1, Int((duration / .seconds(1)).rounded(.up))) }
}

/// Refuses the writes of clients that send too many. One for all shards; any thread.
package final class WriteLimit: Sendable {
    private let limit: ClientLimit
    private let quotas: Mutex<WriteQuotas>

    /// - Parameter limit: Writes a second of one client, over a while.
    package init(_ limit: ClientLimit = .usualWrites) {
        self.limit = limit
        quotas = Mutex(WriteQuotas(perSecond: limit.count == .max ? 1 : limit.count))
    }

    /// Counts a write.
    ///
    /// - Returns: Header fields that tell what is left; none for whoever is not counted.
    /// - Throws: The refusal.
    /// - SeeAlso: draft-ietf-httpapi-ratelimit-headers-10
    func count(
        _ authority: Authority,
        at address: ClientAddress,
        now: () -> Moment
    ) throws(Problem) -> [Response.Field] {
        guard limit.counts(address) else { return [] }
        return try count(Writer(authority, at: address), at: now().instant)
    }

    /// Counts a command that came from the broker, wherever that is.
    ///
    /// - Throws: The refusal.
    func countBroker(at now: Instant) throws(Problem) {
        if limit.count < .max { _ = try count(.broker, at: now) }
    }

    private func count(_ writer: Writer, at now: Instant) throws(Problem) -> [Response.Field] {
        let (left, quota) = quotas.withLock { ($0.take(writer, at: now), $0.quota) }
        let fields: [Response.Field] = [
            ("RateLimit-Policy", "\"writes\";q=\(quota);w=\(WriteQuotas.window)"),
            ("RateLimit", "\"writes\";r=\(left.writes);t=\(left.seconds)"),
        ]
        if left.isEnough { return fields }
        throw Problem(
            .tooManyWrites,
            "\(writer == .broker ? "The broker" : "This client") has sent more than \(limit.count) changes a second. "
                + "Nothing was changed by this one.",
            fields: fields + [("Retry-After", String(left.seconds))]
        )
    }
}
