// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// How many event streams and WebSockets the whole server may hold, and one client of it. Any thread.
///
/// The lock is held only when a stream begins or ends, and not even then for clients that are not counted.
final class StreamRoom: Sendable {
    private let left: Atomic<Int>
    private let limit: ClientLimit
    private let held = Mutex<[ClientAddress: Int]>([:])

    /// - Parameter streams: What the descriptors allow.
    init(for streams: Int, limit: ClientLimit) {
        left = Atomic(streams)
        self.limit = limit
    }

    /// Takes a place.
    ///
    /// - Throws: `.tooManyStreams` if this client has enough of them, `.noRoom` if there is none for anybody.
    func take(for client: ClientAddress) throws(RequestFault) {
        guard count(client) else { throw .tooManyStreams }
        if left.subtract(1, ordering: .relaxed).newValue >= 0 { return }
        giveBack(of: client)
        throw .noRoom
    }

    func giveBack(of client: ClientAddress) {
        left.add(1, ordering: .relaxed)
        guard limit.counts(client) else { return }
        held.withLock { held in
            let others = (held[client] ?? 1) - 1
            held[client] = others > 0 ? others : nil
        }
    }

    /// Counts one more; `false` if that would be too many.
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
