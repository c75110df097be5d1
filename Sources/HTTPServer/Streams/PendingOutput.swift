// SPDX-License-Identifier: Apache-2.0
internal import Support

/// A message, or a piece of one, that several streams may have sent a part of. Used on the shard's thread only.
final class SharedBytes {
    private let own: [UInt8]
    /// The bytes, if other shards send them as well.
    let body: SharedBody?
    let count: Int
    /// The number of pending outputs that hold it.
    fileprivate var holders = 0

    init(_ bytes: [UInt8]) { (own, body, count) = (bytes, nil, bytes.count) }

    init(_ body: SharedBody) { (own, self.body, count) = ([], body, body.count) }

    func withUnsafeBytes<Result>(_ use: (UnsafeRawBufferPointer) -> Result) -> Result {
        guard let body else { return own.withUnsafeBytes(use) }
        return use(UnsafeRawBufferPointer(start: body.start, count: count))
    }

    /// Returns the unsent bytes: a copy of them alone, or all of a body that other shards send, and how many are sent.
    func rest(behind sent: Int) -> (SharedBytes, sent: Int) {
        body == nil ? (SharedBytes(Array(own[sent...])), 0) : (self, sent)
    }
}

/// The bytes and events that wait for a client that does not keep up.
///
/// The client is sent `tail`. Once all of that is sent, `StreamConnections.refill` moves the next of these there:
///
/// | source | at most | turn |
/// | --- | --- | --- |
/// | `responses` | those to one message | first, but not twice in a row while events are pending |
/// | `pending` | one entry per retained event | second; `fill` bytes and one message are encoded at a time |
/// | `farewell` | one message | last: it ends the stream |
///
/// The client's next message is read when it has read the responses. Streams share messages, and parts of responses.
/// `StreamConnections` limits the pending output of a shard's streams together.
final class PendingOutput {
    /// Bytes of pending events that are encoded at a time. Encoded events are not replaced by newer ones.
    static let fill = 16_384

    /// Pieces of whole messages, in order. Of the first, `sent` bytes are sent.
    private var tail: ArraySlice<SharedBytes> = []
    private var sent: Int
    /// Whether `tail` holds, or last held, responses.
    private var isTailOfResponses: Bool
    /// Whole frames that wait for `tail`: responses and pongs, none of which may be dropped.
    private var responses: [SharedBytes] = []
    /// The newest version of each event that is not encoded yet, ordered by version.
    private var pending = ConflatingQueue<RetainedEvents.Handle, UInt64>()
    /// Whether the client missed the end of a subject, which was forgotten. Then it starts over with the reset event.
    private(set) var hasMissedEvent = false
    /// Whether the event `synced` follows once `pending` is empty: it ends the retained events of a beginning.
    private var isBeginning = false
    /// Whether events are pending, or the reset event, or `synced`.
    var hasPendingEvents: Bool { hasMissedEvent || isBeginning || !pending.isEmpty }
    /// The number of events that were replaced or forgotten since the client was last sent one.
    var skipped = 0
    /// When the client last read a byte, in the shard's seconds.
    private(set) var lastProgress: UInt32
    /// The last bytes, sent after all pending events. They end the stream.
    var farewell: [UInt8]?
    private(set) var isEnding = false
    /// The bytes of the pieces that it holds.
    private var held = 0
    /// By how much the pieces have grown since `takeGrowth`, and the bytes of pending events at that call.
    private var (pieceGrowth, countedEventBytes) = (0, 0)

    /// - Parameters:
    ///   - tail: A partly sent message.
    ///   - sent: The number of its bytes that are sent.
    init(tail: SharedBytes? = nil, sent: Int = 0, isResponse: Bool = false, at second: UInt32) {
        self.sent = sent
        isTailOfResponses = isResponse
        lastProgress = second
        if let tail { extend([tail]) }
    }

    var holdsResponses: Bool { !responses.isEmpty || (isTailOfResponses && !tail.isEmpty) }

    /// The approximate memory, in bytes.
    var bytes: Int { held + pending.bytes }

    /// Returns by how many bytes the memory has grown since the last call. A piece counts once, for all who hold it.
    func takeGrowth() -> Int {
        defer { (pieceGrowth, countedEventBytes) = (0, pending.bytes) }
        return pieceGrowth + pending.bytes - countedEventBytes
    }

    /// Releases everything. Returns the growth, as `takeGrowth` does.
    func releaseAll() -> Int {
        for piece in tail + responses { release(piece) }
        (tail, responses, pending) = ([], [], ConflatingQueue())
        return takeGrowth()
    }

    private func hold(_ piece: SharedBytes) {
        held += piece.count
        piece.holders += 1
        if piece.holders == 1 { pieceGrowth += piece.count }
    }

    private func release(_ piece: SharedBytes) {
        held -= piece.count
        piece.holders -= 1
        if piece.holders == 0 { pieceGrowth -= piece.count }
    }

    /// The piece to send now, and how many bytes of it are sent.
    var unsent: (piece: SharedBytes, sent: Int, isLast: Bool)? { tail.first.map { ($0, sent, tail.count == 1) } }

    /// Notes that the client read this many bytes of `unsent`.
    func markSent(_ count: Int, at second: UInt32) {
        guard count > 0, let piece = tail.first else { return }
        sent += count
        lastProgress = second
        guard sent == piece.count else { return }
        release(tail.removeFirst())
        sent = 0
    }

    func respond(_ pieces: [SharedBytes]) {
        pieces.forEach(hold)
        responses += pieces
    }

    /// Continues the message in progress.
    func extend(_ pieces: ArraySlice<SharedBytes>) {
        pieces.forEach(hold)
        tail += pieces
    }

    /// Adds a pending event. The newest comes last, so that ids grow in the order of sending.
    func enqueue(_ handle: RetainedEvents.Handle, version: UInt64) {
        if hasMissedEvent || pending[handle] == version { return }
        if pending.append(version, for: handle) != nil { skipped += 1 }
    }

    /// Takes the next pending event that is still retained. One that was forgotten may have been the end of a subject,
    /// which the client then misses.
    func next(in retained: borrowing RetainedEvents) -> (handle: RetainedEvents.Handle, entry: RetainedEvents.Entry)? {
        while let (handle, version) = pending.popFirst() {
            if let entry = retained[handle] { return (handle, entry) }
            if version <= retained.lastForgotten { missEvent() } else { skipped += 1 }
        }
        return nil
    }

    /// The client has missed an event that can no longer be sent.
    func missEvent() {
        hasMissedEvent = true
        pending = ConflatingQueue()
        skipped = 0
    }

    /// Replaces the pending events by those of a beginning.
    func begin(with events: [RetainedEvents.Pending]) {
        hasMissedEvent = false
        pending = ConflatingQueue()
        skipped = 0
        isBeginning = true
        for (handle, version) in events { enqueue(handle, version: version) }
    }

    /// Ends the beginning. Returns whether there was one.
    func endBeginning() -> Bool {
        defer { isBeginning = false }
        return isBeginning
    }

    // MARK: Refilling, once all is sent

    /// Continues with the responses, unless events are next: a client that sends messages without end receives events.
    ///
    /// - Returns: Whether there are responses to send.
    func beginResponses() -> Bool {
        let areEventsNext = isTailOfResponses && hasPendingEvents
        guard !responses.isEmpty, !areEventsNext else { return false }
        (tail, responses) = (responses[...], [])
        isTailOfResponses = true
        return true
    }

    func beginEvents(_ bytes: [UInt8]) {
        extend([SharedBytes(bytes)])
        isTailOfResponses = false
    }

    /// Continues with the farewell.
    ///
    /// - Returns: Whether there is one.
    func beginFarewell() -> Bool {
        guard let farewell else { return false }
        extend([SharedBytes(farewell)])
        isEnding = true
        return true
    }
}
