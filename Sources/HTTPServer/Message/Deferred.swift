// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// A response that is completed later: once, from any thread. The first call of `complete` counts.
package final class Deferred: Sendable {
    private enum Phase {
        case open
        /// The request is suspended. The closure notifies its shard.
        case parked(@Sendable (Deferred) -> Void)
        /// `nil` for the fallback.
        case complete(Response?)
    }

    private struct State {
        var phase = Phase.open
        var fields: [Response.Field] = []
    }

    private let state = Mutex(State())
    private let limit: Duration
    private let cached: @Sendable () -> CachedResponse?
    private let fallback: @Sendable () -> Response

    /// - Parameters:
    ///   - limit: The maximum time that the request waits.
    ///   - cached: Returns a cached response to send in place of the fallback; `nil` without one.
    ///   - fallback: Returns the response after that time, or when the server stops. Both are called on the shard's
    ///     thread.
    package init(
        limit: Duration,
        cached: @escaping @Sendable () -> CachedResponse? = { nil },
        fallback: @escaping @Sendable () -> Response
    ) {
        (self.limit, self.cached, self.fallback) = (limit, cached, fallback)
    }

    /// - Parameter response: `nil` for the fallback, made when it is sent.
    package func complete(_ response: Response? = nil) {
        let notify: (@Sendable (Deferred) -> Void)? = state.withLock { state in
            let phase = state.phase
            if case .complete = phase { return nil }
            state.phase = .complete(response)
            return if case .parked(let notify) = phase { notify } else { nil }
        }
        notify?(self)
    }

    /// The cached response to send; `nil` if it is not complete, or has a response of its own.
    var cachedResponse: CachedResponse? {
        let isFallback = state.withLock { state in
            if case .complete(nil) = state.phase { state.fields.isEmpty } else { false }
        }
        return isFallback ? cached() : nil
    }

    var response: Response? {
        let state = state.withLock { $0 }
        guard case .complete(let completed) = state.phase else { return nil }
        var response = completed ?? fallback()
        if !state.fields.isEmpty { response.fields += state.fields }
        return response
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
