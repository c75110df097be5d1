// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// A response that is completed later: once, from any thread. The first call of `complete` counts.
package final class Deferred: Sendable {
    private enum Phase {
        case open
        /// The request is suspended. The closure notifies its shard.
        case parked(@Sendable (Deferred) -> Void)
        case complete(Response)
    }

    private struct State {
        var phase = Phase.open
        var fields: [Response.Field] = []
    }

    private let state = Mutex(State())
    private let limit: Duration
    private let fallback: @Sendable () -> Response

    /// - Parameters:
    ///   - limit: The maximum time that the request waits.
    ///   - fallback: Returns the response after that time, or when the server stops. Called on the shard's thread.
    package init(limit: Duration, fallback: @escaping @Sendable () -> Response) {
        self.limit = limit
        self.fallback = fallback
    }

    package func complete(_ response: Response) {
        let notify: (@Sendable (Deferred) -> Void)? = state.withLock { state in
            let phase = state.phase
            if case .complete = phase { return nil }
            state.phase = .complete(response)
            return if case .parked(let notify) = phase { notify } else { nil }
        }
        notify?(self)
    }

    /// Completes with the fallback.
    func expire() { complete(fallback()) }

    var response: Response? {
        state.withLock { state in
            guard case .complete(var response) = state.phase else { return nil }
            if !state.fields.isEmpty { response.fields += state.fields }
            return response
        }
    }

    package var isComplete: Bool { state.withLock { if case .complete = $0.phase { true } else { false } } }

    /// Adds header fields to the response, also before it is complete.
    package func add(_ fields: [Response.Field]) { state.withLock { $0.fields += fields } }

    /// Registers a closure that is called once, on any thread, when the response is complete. Returns `false`, without
    /// registering, if it is complete already.
    func park(_ notify: @escaping @Sendable (Deferred) -> Void) -> Bool {
        state.withLock { state in
            guard case .open = state.phase else { return false }
            state.phase = .parked(notify)
            return true
        }
    }

    func deadline(from now: LoopTime) -> LoopTime { now + limit }
}
