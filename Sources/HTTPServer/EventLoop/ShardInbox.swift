// SPDX-License-Identifier: Apache-2.0
import Synchronization
import Threads

/// How other threads reach a shard: messages, and a wake that is written at most once a burst.
package final class ShardInbox: Sendable {
    enum Message {
        case answered(Deferred)
        case stopAccepting
        case drain(within: Duration)
        /// Called on the shard's thread, which is not stuck, with what it has counted.
        case echo(@Sendable (ShardCounts) -> Void)
    }

    private let messages = Mutex<[Message]>([])
    private let bell: EventDescriptor

    init() throws(ServerError) {
        do {
            bell = try EventDescriptor()
        } catch {
            throw ServerError(error)
        }
    }

    /// Readable while the shard has been woken.
    var descriptor: Int32 { bell.descriptor }

    /// "Look." Any thread, never blocks; further wakes before the shard looks cost one atomic exchange.
    package func wake() { bell.ring() }

    func post(_ message: Message) {
        messages.withLock { $0.append(message) }
        wake()
    }

    /// The shard looks: whatever comes from here on wakes it again.
    func take() -> [Message] {
        bell.silence()
        return messages.withLock { messages in
            defer { messages = [] }
            return messages
        }
    }
}
