// SPDX-License-Identifier: Apache-2.0
import Support

/// The end of a shard: active requests are answered, and streams receive their farewell.
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
        // WebSockets, too, receive their responses before their end.
        answerPending()
        streams.drain()
    }

    /// Completes each pending request with its fallback. While the shard drains, later requests do not wait.
    func answerPending() {
        for reply in pending.removeAll() {
            // A message about this response that is in the inbox already finds no entry then.
            reply.deferred.expire()
            answer(reply)
        }
    }
}
