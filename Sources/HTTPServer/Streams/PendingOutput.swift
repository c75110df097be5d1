// SPDX-License-Identifier: Apache-2.0
internal import Support

/// The bytes and events that wait for a client that does not keep up.
///
/// Its size is bounded. `tail` holds at most `fill` bytes and one message. `answers` holds the answers to one message,
/// since a client is not read from while answers wait for it. `pending` holds at most one entry per retained event.
/// `StreamConnections` limits the pending output of all streams of a shard together.
final class PendingOutput {
    /// Bytes of pending events that are encoded at a time. Encoded events are not replaced by newer ones.
    static let fill = 16_384

    /// Whole messages; the first `sent` bytes are sent.
    private var tail: [UInt8]
    private var sent = 0
    /// Whether `tail` holds, or last held, answers. Then an event is next, so that a client that sends messages without
    /// end still receives events.
    private(set) var isAnswering: Bool
    /// Whole frames that are sent before pending events: answers and pongs, none of which may be dropped.
    private var answers: [UInt8] = []
    /// The newest version of each pending event, ordered by version.
    private var pending = ConflatingQueue<RetainedEvents.Place, UInt64>()
    /// Whether an end was forgotten before the client could read it. Then the client starts over with the reset event.
    private(set) var isLost = false
    /// Whether events are pending, or the reset event.
    var hasPendingEvents: Bool { isLost || !pending.isEmpty }
    /// The number of events that newer ones replaced before the client could read them.
    var skipped = 0
    /// When the client last read a byte, in the shard's seconds.
    private(set) var lastProgress: UInt32
    /// The last bytes, sent after all pending events. They end the stream.
    var farewell: [UInt8]?
    /// Whether `tail` is the farewell.
    private(set) var isEnding = false
    /// The bytes of it that `StreamConnections` has counted.
    var counted = 0

    /// - Parameter tail: The rest of a partly sent message.
    init(tail: ArraySlice<UInt8> = [], isAnswer: Bool = false, at second: UInt32) {
        self.tail = Array(tail)
        isAnswering = isAnswer
        lastProgress = second
    }

    /// Whether answers wait for the client.
    var holdsAnswers: Bool { !answers.isEmpty || isAnswering && !isSent }

    /// The approximate memory, in bytes.
    var bytes: Int { tail.count + answers.count + pending.bytes }

    /// The bytes to send now.
    var unsent: ArraySlice<UInt8> { tail[sent...] }

    var isSent: Bool { sent == tail.count }

    /// Notes that the client read this many bytes of `unsent`.
    func markSent(_ count: Int, at second: UInt32) {
        guard count > 0 else { return }
        sent += count
        lastProgress = second
    }

    func answer(_ bytes: [UInt8]) { answers += bytes }

    /// Adds a pending event. The newest comes last, so that ids grow in the order of sending.
    func enqueue(_ place: RetainedEvents.Place, version: UInt64) {
        if isLost || pending[place] == version { return }
        if pending.append(version, for: place) != nil { skipped += 1 }
    }

    /// Takes the next pending event that is still retained. If one was forgotten that may have been an end, the output
    /// is lost.
    func next(in retained: borrowing RetainedEvents) -> (place: RetainedEvents.Place, entry: RetainedEvents.Entry)? {
        while let (place, version) = pending.popFirst() {
            if let entry = retained[place] { return (place, entry) }
            if version <= retained.forgotten { lose() } else { skipped += 1 }
        }
        return nil
    }

    /// Notes that the client has missed an event that can no longer be sent.
    func lose() {
        isLost = true
        pending = ConflatingQueue()
        skipped = 0
    }

    /// Replaces the pending events.
    func begin(with places: [RetainedEvents.Pending]) {
        isLost = false
        pending = ConflatingQueue()
        skipped = 0
        for (place, version) in places { enqueue(place, version: version) }
    }

    // MARK: Refilling, once all is sent

    /// Continues with the answers, unless an event is next.
    ///
    /// - Returns: Whether there are answers to send.
    func beginAnswers() -> Bool {
        guard !answers.isEmpty, !hasPendingEvents || !isAnswering else { return false }
        begin(answers)
        answers = []
        isAnswering = true
        return true
    }

    func beginEvents(_ bytes: [UInt8]) {
        begin(bytes)
        isAnswering = false
    }

    /// Continues with the farewell.
    ///
    /// - Returns: Whether there is one.
    func beginFarewell() -> Bool {
        guard let farewell else { return false }
        begin(farewell)
        isEnding = true
        return true
    }

    private func begin(_ bytes: [UInt8]) {
        tail = bytes
        sent = 0
    }
}
