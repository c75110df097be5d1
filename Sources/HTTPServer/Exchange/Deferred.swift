// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// An answer that is still to come. Completed once, from any thread; the first answer counts.
package final class Deferred: Sendable {
    private enum State {
        case open
        /// The request is suspended; the shard is to be told.
        case parked(ShardInbox)
        case answered(Response)
    }

    private let state = Mutex(State.open)
    private let limit: Duration
    private let fallback: @Sendable () -> Response

    /// - Parameters:
    ///   - limit: How long the request waits at most.
    ///   - fallback: The answer after that, and when the server stops meanwhile. Called on the shard's thread.
    package init(limit: Duration, fallback: @escaping @Sendable () -> Response) {
        self.limit = limit
        self.fallback = fallback
    }

    package func complete(_ response: Response) {
        let inbox: ShardInbox? = state.withLock { state in
            switch state {
            case .answered:
                return nil
            case .open:
                state = .answered(response)
                return nil
            case .parked(let inbox):
                state = .answered(response)
                return inbox
            }
        }
        inbox?.post(.answered(self))
    }

    /// Time is over.
    func expire() { complete(fallback()) }

    var answer: Response? {
        state.withLock { if case .answered(let response) = $0 { response } else { nil } }
    }

    package var isAnswered: Bool { answer != nil }

    /// From now on the shard is told; `false` if the answer is already there.
    func park(in inbox: ShardInbox) -> Bool {
        state.withLock { state in
            guard case .open = state else { return false }
            state = .parked(inbox)
            return true
        }
    }

    func deadline(from now: LoopTime) -> LoopTime { now + limit }
}
