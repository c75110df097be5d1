package import MQTT
// SPDX-License-Identifier: Apache-2.0
internal import Support
import Synchronization

/// The pending publications in order: the newest of each retained topic, and at most `limit` answers, of which the
/// oldest are dropped. Its size is bounded by the number of topics.
package struct Outbox {
    package static let limit = 1_024

    /// By topic. A newer publication goes out when the one it replaced would have, so that a topic that changes often
    /// is not held back by others.
    private var newest = ConflatingQueue<String, Publication>()
    private var others: [Publication] = []

    package init() {}

    /// The number of pending retained topics.
    package var retainedCount: Int { newest.count }

    package var isEmpty: Bool { newest.isEmpty && others.isEmpty }

    package mutating func put(_ publication: Publication) {
        guard publication.isRetained else {
            others.append(publication)
            if others.count > Self.limit { others.removeFirst(Self.limit / 2) }
            return
        }
        newest.update(publication, for: publication.topic)
    }

    /// Returns states before answers, so that a client with an answer has the state it is about.
    package mutating func take(_ room: Int) -> [Publication] {
        var taken: [Publication] = []
        while taken.count < room, let publication = newest.popFirst()?.value { taken.append(publication) }
        let count = min(room - taken.count, others.count)
        if count > 0 {
            taken += others.prefix(count)
            others.removeFirst(count)
        }
        return taken
    }
}

/// The queue of answers from other threads to the bridge. Any thread.
final class ReplyQueue: Sendable {
    private let waiting = Mutex<[Publication]>([])
    private let wake: @Sendable () -> Void

    /// - Parameter wake: Wakes the bridge.
    init(wake: @escaping @Sendable () -> Void) { self.wake = wake }

    func post(_ publication: Publication) {
        waiting.withLock { waiting in
            waiting.append(publication)
            // Clients of the oldest answers have timed out.
            if waiting.count > Outbox.limit { waiting.removeFirst(Outbox.limit / 2) }
        }
        wake()
    }

    func take() -> [Publication] {
        waiting.withLock { waiting in
            defer { waiting = [] }
            return waiting
        }
    }
}
