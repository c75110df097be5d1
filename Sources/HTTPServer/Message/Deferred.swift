// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// An answer that is still to come. Completed once, from any thread; the first answer counts.
package final class Deferred: Sendable {
    private enum Phase {
        case open
        /// The request is suspended; its shard is to be notified.
        case parked(@Sendable (Deferred) -> Void)
        case answered(Response)
    }

    private struct State {
        var phase = Phase.open
        var fields: [Response.Field] = []
    }

    private let state = Mutex(State())
    private let limit: Duration
    private let fallback: @Sendable () -> Response

    /// - Parameters:
    ///   - limit: How long the request waits at most.
    ///   - fallback: The answer after that, and when the server stops before it. Called on the shard's thread.
    package init(limit: Duration, fallback: @escaping @Sendable () -> Response) {
        self.limit = limit
        self.fallback = fallback
    }

    package func complete(_ response: Response) {
        let notify: (@Sendable (Deferred) -> Void)? = state.withLock { state in
            switch state.phase {
            case .answered:
                return nil
            case .open:
                state.phase = .answered(response)
                return nil
            case .parked(let notify):
                state.phase = .answered(response)
                return notify
            }
        }
        notify?(self)
    }

    /// Time is over.
    func expire() { complete(fallback()) }

    var answer: Response? {
        state.withLock { state in
            guard case .answered(var response) = state.phase else { return nil }
            response.fields += state.fields
            return response
        }
    }

    package var isAnswered: Bool { state.withLock { if case .answered = $0.phase { true } else { false } } }

    /// Adds header fields to the answer, whenever it comes.
    package func add(_ fields: [Response.Field]) { state.withLock { $0.fields += fields } }

    /// From now on its answer is reported, once and from any thread; `false` if it is already there.
    func park(_ notify: @escaping @Sendable (Deferred) -> Void) -> Bool {
        state.withLock { state in
            guard case .open = state.phase else { return false }
            state.phase = .parked(notify)
            return true
        }
    }

    func deadline(from now: LoopTime) -> LoopTime { now + limit }
}
