// SPDX-License-Identifier: Apache-2.0
internal import Support

/// The bytes of a message that several streams may have sent a part of. Used on the shard's thread only.
final class SharedBytes {
    let bytes: [UInt8]
    /// The number of pending outputs that count them.
    fileprivate(set) var holders = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }
}

/// The bytes and events that wait for a client that does not keep up.
///
/// Its size is bounded. `tail` holds at most `fill` bytes and one message. Streams share the rest of one message.
/// `answers` holds the answers to one message, since a client is not read from while answers wait for it. `pending`
/// holds at most one entry per retained event.
/// `StreamConnections` limits the pending output of all streams of a shard together.
final class PendingOutput {
    /// Bytes of pending events that are encoded at a time. Encoded events are not replaced by newer ones.
    static let fill = 16_384

    /// Whole messages; the first `sent` bytes are sent.
    private var tail: SharedBytes
    private var sent: Int
    /// Whether `tail` holds, or last held, answers. Then an event is next, so that a client that sends messages without
    /// end still receives events.
    private(set) var isAnswering: Bool
    /// Whole frames that are sent before pending events: answers and pongs, none of which may be dropped.
    private var answers: [UInt8] = []
    /// The newest version of each pending event, ordered by version.
    private var pending = ConflatingQueue<RetainedEvents.Place, UInt64>()
    /// Whether an end was forgotten before the client could read it. Then the client starts over with the reset event.
    private(set) var isLost = false
    /// Whether the pending events are those of a beginning, which the event `synced` ends.
    private var isBeginning = false
    /// Whether events are pending, or the reset event, or `synced`.
    var hasPendingEvents: Bool { isLost || isBeginning || !pending.isEmpty }
    /// The number of events that newer ones replaced before the client could read them.
    var skipped = 0
    /// When the client last read a byte, in the shard's seconds.
    private(set) var lastProgress: UInt32
    /// The last bytes, sent after all pending events. They end the stream.
    var farewell: [UInt8]?
    /// Whether `tail` is the farewell.
    private(set) var isEnding = false
    /// The part of its memory that `StreamConnections` has counted.
    private var counted: (bytes: Int, tail: SharedBytes?) = (0, nil)

    /// - Parameters:
    ///   - tail: A partly sent message.
    ///   - sent: The number of its bytes that are sent.
    init(tail: SharedBytes = SharedBytes([]), sent: Int = 0, isAnswer: Bool = false, at second: UInt32) {
        (self.tail, self.sent) = (tail, sent)
        isAnswering = isAnswer
        lastProgress = second
    }

    /// Whether answers wait for the client.
    var holdsAnswers: Bool { !answers.isEmpty || isAnswering && !isSent }

    /// The approximate memory, in bytes.
    var bytes: Int { tail.bytes.count + ownBytes }

    private var ownBytes: Int { answers.count + pending.bytes }

    /// Counts the memory. Shared bytes count once, for all who hold them.
    ///
    /// - Returns: The bytes that are new since the last count.
    func countNew() -> Int {
        var new = ownBytes - counted.bytes
        counted.bytes = ownBytes
        guard counted.tail !== tail else { return new }
        new -= releaseTail()
        tail.holders += 1
        counted.tail = tail
        return tail.holders == 1 ? new + tail.bytes.count : new
    }

    /// Ends the count. Returns the bytes that nobody holds any more.
    func countNone() -> Int {
        defer { counted = (0, nil) }
        return counted.bytes + releaseTail()
    }

    private func releaseTail() -> Int {
        guard let tail = counted.tail else { return 0 }
        tail.holders -= 1
        return tail.holders == 0 ? tail.bytes.count : 0
    }

    /// The bytes to send now.
    var unsent: ArraySlice<UInt8> { tail.bytes[sent...] }

    var isSent: Bool { sent == tail.bytes.count }

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

    /// Replaces the pending events by those of a beginning.
    func begin(with places: [RetainedEvents.Pending]) {
        isLost = false
        pending = ConflatingQueue()
        skipped = 0
        isBeginning = true
        for (place, version) in places { enqueue(place, version: version) }
    }

    /// Returns whether a beginning is over, which it is not any more.
    func endBeginning() -> Bool {
        defer { isBeginning = false }
        return isBeginning
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
        (tail, sent) = (SharedBytes(bytes), 0)
    }
}
