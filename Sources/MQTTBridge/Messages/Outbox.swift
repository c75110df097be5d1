// SPDX-License-Identifier: Apache-2.0
internal import Conflation
package import MQTT
import Synchronization

/// What is still to be published, in order: of each retained topic the newest, and answers, of which the oldest go when
/// there are too many. So it never grows beyond the number of topics.
package struct Outbox {
    package static let limit = 1_024

    /// By topic. A newer publication goes out when the one it replaced would have, so that a topic that changes often is not held
    /// back by others.
    private var newest = ConflatingQueue<String, Publication>()
    private var others: [Publication] = []

    package init() {}

    /// How many retained topics wait.
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

    /// States before answers, so that whoever has an answer has seen what it is about.
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

/// What other threads want published: answers of panels. Any thread.
final class Mail: Sendable {
    private let waiting = Mutex<[Publication]>([])
    private let wake: @Sendable () -> Void

    /// - Parameter wake: Tells the bridge to look.
    init(wake: @escaping @Sendable () -> Void) { self.wake = wake }

    func post(_ publication: Publication) {
        waiting.withLock { waiting in
            waiting.append(publication)
            // Whoever waits for an answer so long has given up.
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
