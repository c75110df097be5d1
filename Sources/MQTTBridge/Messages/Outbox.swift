// SPDX-License-Identifier: Apache-2.0
import MQTT
internal import Support
import Synchronization

/// The pending publications in order: the newest of each retained topic, and the pending answers. Its size is bounded
/// by the number of topics.
struct Outbox {
    /// By topic. A newer publication goes out when the one it replaced would have, so that a topic that changes often
    /// is not held back by others.
    private var newest = ConflatingQueue<String, Publication>()
    private var answers = PendingAnswers()

    /// The number of pending retained topics.
    var retainedCount: Int { newest.count }

    mutating func put(_ publication: Publication) {
        guard publication.isRetained else {
            return answers.append(publication)
        }
        newest.update(publication, for: publication.topic)
    }

    /// Puts a publication before all others.
    mutating func putFirst(_ publication: Publication) {
        let later = newest
        newest = ConflatingQueue()
        newest.append(publication, for: publication.topic)
        for (topic, other) in later where topic != publication.topic { newest.append(other, for: topic) }
    }

    /// Returns states before answers, so that a client with an answer has the state it is about.
    mutating func take(_ room: Int) -> [Publication] {
        var taken: [Publication] = []
        while taken.count < room, let publication = newest.popFirst()?.value { taken.append(publication) }
        return taken + answers.take(room - taken.count)
    }
}

/// The pending answers in order, within limits. Beyond them the oldest are dropped: their clients have timed out.
struct PendingAnswers: Sendable {
    static let limit = 1_024
    /// The maximum of all payloads, in bytes. An answer about all displays of a building has some megabytes; the newest
    /// answer is never dropped.
    static let byteLimit = 8_388_608

    private(set) var all: [Publication] = []
    private var bytes = 0

    mutating func append(_ answer: Publication) {
        all.append(answer)
        bytes += answer.payload.count
        if all.count > Self.limit { drop(Self.limit / 2) }
        while bytes > Self.byteLimit, all.count > 1 { drop((all.count + 1) / 2) }
    }

    /// Returns the first ones, at most `room`.
    mutating func take(_ room: Int) -> [Publication] {
        let taken = Array(all.prefix(max(room, 0)))
        drop(taken.count)
        return taken
    }

    private mutating func drop(_ count: Int) {
        for answer in all.prefix(count) { bytes -= answer.payload.count }
        all.removeFirst(count)
    }
}

/// The queue of answers from other threads to the bridge. Any thread.
final class AnswerQueue: Sendable {
    private let waiting = Mutex(PendingAnswers())
    private let wake: @Sendable () -> Void

    /// - Parameter wake: Wakes the bridge.
    init(wake: @escaping @Sendable () -> Void) { self.wake = wake }

    func post(_ publication: Publication) {
        waiting.withLock { $0.append(publication) }
        wake()
    }

    func take() -> [Publication] { waiting.exchange(PendingAnswers()).all }
}
