// SPDX-License-Identifier: Apache-2.0
import Support
import Synchronization

/// A shard's inbox for messages of other threads. A burst of messages writes at most one wake-up.
package final class ShardInbox: Sendable {
    enum Message {
        case answered(Deferred)
        /// A frame for the client of the WebSocket with this token.
        case send([UInt8], to: UInt64)
        case stopAccepting
        case drain(within: Duration)
        /// Called on the shard's thread with its counts. The call shows that the thread is not stuck.
        case report(@Sendable (ShardCounts) -> Void)
    }

    private let messages = Mutex<[Message]>([])
    private let wakeDescriptor: EventDescriptor

    init() throws(ServerError) {
        do {
            wakeDescriptor = try EventDescriptor()
        } catch {
            throw ServerError(error)
        }
    }

    /// Readable while a wake-up is pending.
    var descriptor: Int32 { wakeDescriptor.descriptor }

    /// Wakes the shard. Any thread, never blocks. Further calls before the shard drains its inbox cost one atomic
    /// exchange.
    package func wake() { wakeDescriptor.ring() }

    func post(_ message: Message) {
        messages.withLock { $0.append(message) }
        wake()
    }

    /// Takes all messages. Messages posted after this call wake the shard again.
    func take() -> [Message] {
        wakeDescriptor.silence()
        return messages.exchange([])
    }
}
