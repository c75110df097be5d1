// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// The limits of event streams and WebSockets: of the whole server, and of each client. Any thread.
///
/// The lock is held only when a stream begins or ends, and only for clients that are counted.
final class StreamLimiter: Sendable {
    private let left: Atomic<Int>
    private let limit: ClientLimit
    private let held = Mutex<[ClientAddress: Int]>([:])

    /// - Parameter streams: The limit of the whole server.
    init(for streams: Int, limit: ClientLimit) {
        left = Atomic(streams)
        self.limit = limit
    }

    /// Counts a stream.
    ///
    /// - Throws: `.tooManyStreams` if the client is at its limit, `.noStreamCapacity` if the server is.
    func acquire(for client: ClientAddress) throws(RequestError) {
        guard count(client) else { throw .tooManyStreams(limit: limit.count) }
        if left.subtract(1, ordering: .relaxed).newValue >= 0 { return }
        release(for: client)
        throw .noStreamCapacity
    }

    func release(for client: ClientAddress) {
        left.add(1, ordering: .relaxed)
        guard limit.counts(client) else { return }
        held.withLock { held in
            let others = (held[client] ?? 1) - 1
            held[client] = others > 0 ? others : nil
        }
    }

    /// Counts a stream of a client; `false` if the client is at its limit.
    private func count(_ client: ClientAddress) -> Bool {
        guard limit.counts(client) else { return true }
        return held.withLock { held in
            let others = held[client] ?? 0
            guard others < limit.count else { return false }
            held[client] = others + 1
            return true
        }
    }
}
