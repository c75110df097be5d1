// SPDX-License-Identifier: Apache-2.0
import Glibc
import Synchronization

/// The limits of connections, and of new connections per second, of each client. One for all shards; any thread.
///
/// It is asked for every new connection, so it has no lock and no list: a hash of the client's address selects its
/// counter. Two clients share a counter with a chance of about one in 10,000. A client cannot choose whose counter it
/// shares, since each process has its own hash. Streams release their slot when they begin: they have a limit of their
/// own (`StreamLimiter`).
final class ConnectionLimiter: @unchecked Sendable {  // `counters` never changes, and what it points to are atomics
    enum Rejection: Error {
        case tooManyConnections
        /// The client is over its limit of new connections per second.
        case tooManyConnects
    }

    /// The counter in which a connection is counted.
    struct Slot {
        fileprivate let index: UInt32

        static let uncounted = Slot(index: .max)
    }

    private struct Counter: ~Copyable {
        let connections = Atomic<Int>(0)
        /// When the whole burst is available again, in the nanoseconds of `LoopTime`.
        let replenishedAt = Atomic<Int64>(0)
    }

    private static let slotBits = 14
    /// The burst in nanoseconds: the new connections of two seconds may come at once.
    private static let burst: Int64 = 2_000_000_000

    private let counters: UnsafeMutableBufferPointer<Counter>
    /// The limit of open connections per client.
    let connections: ClientLimit
    /// The limit of new connections per client and second, averaged over the burst.
    let connects: ClientLimit
    /// Nanoseconds between two new connections at the limit.
    private let interval: Int64
    /// The odd factor of the hash. It determines which clients share a counter.
    private let factor: UInt64

    init(connections: ClientLimit, connects: ClientLimit, factor: UInt64 = .random(in: 0 ... .max)) {
        self.connections = connections
        self.connects = connects
        self.factor = factor | 1
        interval = 1_000_000_000 / Int64(connects.count)
        counters = .allocate(capacity: 1 << Self.slotBits)
        for index in 0..<counters.count { counters.initializeElement(at: index, to: Counter()) }
    }

    deinit {
        counters.deinitialize()
        counters.deallocate()
    }

    /// Counts a new connection. Asks the kernel for the user at the other end only where a limit applies.
    ///
    /// - Throws: `.tooManyConnects` or `.tooManyConnections` if the client is over that limit.
    func acquire(
        for address: UnsafePointer<sockaddr>,
        on socket: Int32,
        at now: LoopTime
    ) throws(Rejection) -> Slot {
        let client = ClientAddress(address)
        guard connections.counts(client) || connects.counts(client) else { return .uncounted }
        return try acquire(for: ClientAddress(address, on: socket), at: now)
    }

    /// Counts a new connection of a client.
    ///
    /// - Throws: `.tooManyConnects` or `.tooManyConnections` if the client is over that limit.
    func acquire(for client: ClientAddress, at now: LoopTime) throws(Rejection) -> Slot {
        let index = Int((client.network &* factor) >> (64 - UInt64(Self.slotBits)))
        if connects.counts(client), !countConnect(index, at: now.nanoseconds) { throw .tooManyConnects }
        guard connections.counts(client) else { return .uncounted }
        if counters[index].connections.add(1, ordering: .relaxed).newValue <= connections.count {
            return Slot(index: UInt32(index))
        }
        counters[index].connections.subtract(1, ordering: .relaxed)
        throw .tooManyConnections
    }

    func release(_ slot: Slot) {
        guard slot.index < counters.count else { return }
        counters[Int(slot.index)].connections.subtract(1, ordering: .relaxed)
    }

    /// Counts a new connection against the rate (generic cell rate algorithm). Returns `false`, without counting, if it
    /// is over the limit.
    private func countConnect(_ index: Int, at now: Int64) -> Bool {
        var seen = counters[index].replenishedAt.load(ordering: .relaxed)
        while true {
            let next = max(seen, now) + interval
            if next - now > Self.burst { return false }
            let (isDone, other) = counters[index].replenishedAt.weakCompareExchange(
                expected: seen,
                desired: next,
                ordering: .relaxed
            )
            if isDone { return true }
            seen = other
        }
    }
}
