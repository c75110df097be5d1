// SPDX-License-Identifier: Apache-2.0
import Glibc
import Synchronization

/// How many connections each client has, and how often it comes, so that no address takes them all. One for all shards; any
/// thread.
///
/// It is asked for every newcomer, so it has no lock and no list: a client is counted at a place that a hash of its address
/// says. Two clients share one with a chance of about one in 10,000, and nobody can aim at another's, since each process has
/// a hash of its own. Streams leave their place when they begin: they have a limit of their own (`StreamRoom`).
final class ConnectionRoom: @unchecked Sendable {  // `counters` never changes, and what it points to are atomics
    /// Why a client may not have another connection.
    enum Rejection: Error {
        /// It has as many as it may.
        case tooManyConnections
        /// It connects more often than it may.
        case tooManyConnects
    }

    /// Where a connection is counted.
    struct Place {
        fileprivate let index: UInt32

        static let uncounted = Place(index: .max)
    }

    private struct Counter: ~Copyable {
        let connections = Atomic<Int>(0)
        /// When as many as may come at once may come again, in the nanoseconds of `LoopTime`.
        let full = Atomic<Int64>(0)
    }

    private static let placeBits = 14
    /// Nanoseconds. Twice the connects of a second may come at once.
    private static let window: Int64 = 2_000_000_000

    private let counters: UnsafeMutableBufferPointer<Counter>
    private let connections: ClientLimit
    private let connects: ClientLimit
    /// Nanoseconds from one to the next.
    private let interval: Int64
    /// Odd: which one says who shares a place.
    private let factor: UInt64

    /// - Parameters:
    ///   - connections: That one client may have at a time.
    ///   - connects: That it may make a second, over a while.
    init(connections: ClientLimit, connects: ClientLimit, factor: UInt64 = .random(in: 0 ... .max)) {
        self.connections = connections
        self.connects = connects
        self.factor = factor | 1
        interval = 1_000_000_000 / Int64(connects.count)
        counters = .allocate(capacity: 1 << Self.placeBits)
        for index in counters.indices { counters.initializeElement(at: index, to: Counter()) }
    }

    deinit {
        counters.deinitialize()
        counters.deallocate()
    }

    /// Counts a newcomer. The kernel is asked for the user at the other end only where that is counted.
    ///
    /// - Throws: As the other does.
    func take(
        for address: UnsafePointer<sockaddr>,
        on socket: Int32,
        at now: LoopTime
    ) throws(Rejection) -> Place {
        let client = ClientAddress(address)
        guard connections.counts(client) || connects.counts(client) else { return .uncounted }
        return try take(for: ClientAddress(address, on: socket), at: now)
    }

    /// - Throws: `.tooManyConnects` if this client comes too often, `.tooManyConnections` if it has enough of them.
    func take(for client: ClientAddress, at now: LoopTime) throws(Rejection) -> Place {
        let index = Int((client.network &* factor) >> (64 - UInt64(Self.placeBits)))
        if connects.counts(client), !mayCome(index, at: now.nanoseconds) { throw .tooManyConnects }
        guard connections.counts(client) else { return .uncounted }
        if counters[index].connections.add(1, ordering: .relaxed).newValue <= connections.count {
            return Place(index: UInt32(index))
        }
        counters[index].connections.subtract(1, ordering: .relaxed)
        throw .tooManyConnections
    }

    func giveBack(_ place: Place) {
        guard place.index < counters.count else { return }
        counters[Int(place.index)].connections.subtract(1, ordering: .relaxed)
    }

    /// A connection that is rejected does not count.
    private func mayCome(_ index: Int, at now: Int64) -> Bool {
        var seen = counters[index].full.load(ordering: .relaxed)
        while true {
            let next = max(seen, now) + interval
            if next - now > Self.window { return false }
            let (isDone, other) = counters[index].full.weakCompareExchange(
                expected: seen,
                desired: next,
                ordering: .relaxed
            )
            if isDone { return true }
            seen = other
        }
    }
}
