// SPDX-License-Identifier: Apache-2.0
import Threads

/// The end of a shard: what is under way is answered, streams get their last words.
extension Shard {
    var isDone: Bool {
        guard let draining else { return false }
        return draining.isOver || activeExchanges == 0 && streams.count == 0
    }

    func drain(within limit: Duration) {
        guard draining == nil else { return }
        draining = Countdown(limit)
        acceptor.stop()
        takeEvents()
        // Also WebSockets get their answers before their end.
        answerPending()
        streams.drain()
    }

    /// Answers each caller that waits with what there is by now. Later requests do not wait while the shard drains.
    func answerPending() {
        for reply in pending.removeAll() {
            // The inbox's message about this answer finds nothing any more.
            reply.deferred.expire()
            answer(reply)
        }
    }
}
