// SPDX-License-Identifier: Apache-2.0
internal import Conflation

/// The bytes and events that a client has yet to take, while it does not keep up.
///
/// Bounded by what can wait: `tail` by `fill` and one message, `answers` by those to one message (a client is not listened to
/// while it has answers to take), `owed` by the number of events retained. `StreamConnections` bounds all pending outputs of a shard together.
final class PendingOutput {
    /// Bytes of owed events that are encoded at a time. What is encoded is not replaced by newer events.
    static let fill = 16_384

    /// Whole messages, of which the first `sent` bytes are gone.
    private var tail: [UInt8]
    private var sent = 0
    /// `tail` holds answers, or held them last. Then an event comes next, so that a client that calls without end still
    /// gets events.
    private(set) var isAnswering: Bool
    /// Whole frames that go before what is owed: answers and pongs, none of which may be left out.
    private var answers: [UInt8] = []
    /// The newest version of each event that comes next, in the order of the versions.
    private var owed = ConflatingQueue<RetainedEvents.Place, UInt64>()
    /// Whether an end was forgotten before the client could take it. Then it begins again.
    private(set) var isLost = false
    /// Whether events are pending, or what a client gets that begins again.
    var owesEvents: Bool { isLost || !owed.isEmpty }
    /// How many events were replaced by newer ones before the client could take them.
    var skipped = 0
    /// When the client last took a byte, in the shard's seconds.
    private(set) var lastProgress: UInt32
    /// What comes after all that is owed, and ends the stream.
    var farewell: [UInt8]?
    /// `tail` is the farewell.
    private(set) var isEnding = false
    /// How many bytes of it `StreamConnections` has counted.
    var counted = 0

    /// - Parameter tail: The rest of a message that was sent in part.
    init(tail: ArraySlice<UInt8> = [], isAnswer: Bool = false, at second: UInt32) {
        self.tail = Array(tail)
        isAnswering = isAnswer
        lastProgress = second
    }

    /// Whether the client has answers to take.
    var holdsAnswers: Bool { !answers.isEmpty || isAnswering && !isSent }

    /// The memory it takes, roughly.
    var bytes: Int { tail.count + answers.count + owed.bytes }

    /// What is to be sent now.
    var unsent: ArraySlice<UInt8> { tail[sent...] }

    var isSent: Bool { sent == tail.count }

    /// The client took bytes of `unsent`.
    func take(_ count: Int, at second: UInt32) {
        guard count > 0 else { return }
        sent += count
        lastProgress = second
    }

    func answer(_ bytes: [UInt8]) { answers += bytes }

    /// The newest comes last, so that what is sent has growing ids.
    func owe(_ place: RetainedEvents.Place, version: UInt64) {
        if isLost || owed[place] == version { return }
        if owed.append(version, for: place) != nil { skipped += 1 }
    }

    /// Takes the next pending event that is still retained. One that was forgotten may have been an end.
    func next(in retained: borrowing RetainedEvents) -> (place: RetainedEvents.Place, entry: RetainedEvents.Entry)? {
        while let (place, version) = owed.popFirst() {
            if let entry = retained[place] { return (place, entry) }
            if version <= retained.forgotten { lose() } else { skipped += 1 }
        }
        return nil
    }

    /// The client has missed something that it cannot be sent any more.
    func lose() {
        isLost = true
        owed = ConflatingQueue()
        skipped = 0
    }

    /// From now on these events are pending, and no others.
    func begin(with places: [RetainedEvents.Pending]) {
        isLost = false
        owed = ConflatingQueue()
        skipped = 0
        for (place, version) in places { owe(place, version: version) }
    }

    // MARK: Refilling, once all is sent

    /// - Returns: Whether there are answers, and no event goes before them.
    func beginAnswers() -> Bool {
        guard !answers.isEmpty, !owesEvents || !isAnswering else { return false }
        begin(answers)
        answers = []
        isAnswering = true
        return true
    }

    func beginEvents(_ bytes: [UInt8]) {
        begin(bytes)
        isAnswering = false
    }

    /// - Returns: Whether there are last words.
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
