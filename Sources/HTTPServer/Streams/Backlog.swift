// SPDX-License-Identifier: Apache-2.0

/// The pending output of a client that does not keep up. Bounded by the number of events on the board.
final class Backlog {
    /// Pending events may be this many before those that were replaced are dropped.
    private static let smallest = 64

    /// The rest of messages that were sent in part.
    var tail: [UInt8]
    /// Whole frames that go before events: answers and pongs, none of which may be left out.
    var answers: [UInt8] = []
    /// `tail` was answers: an event comes next, so that a client that asks without end still gets events.
    var answeredLast = false
    /// Pending events, oldest first; some may have been replaced by newer ones, which are here too.
    private(set) var owed: ArraySlice<(place: EventBoard.Place, version: UInt64)> = []
    private var limit = smallest
    /// Whether events are pending, or what a client gets that begins again.
    var owesEvents: Bool { isLost || !owed.isEmpty }
    /// How many events were replaced by newer ones before the client could take them.
    var skipped = 0
    /// Whether an end was forgotten before the client could take it. Then it is told to begin again.
    private(set) var isLost = false
    /// When the client last took a byte, in the shard's seconds.
    var lastProgress: UInt32
    /// What comes after all pending events, and ends the stream.
    var farewell: [UInt8]?
    /// `tail` is the farewell.
    var isEnding = false

    init(tail: [UInt8], at second: UInt32) {
        self.tail = tail
        lastProgress = second
    }

    /// Adds a pending event.
    func owe(_ place: EventBoard.Place, version: UInt64, on board: borrowing EventBoard) {
        guard !isLost else { return }
        owed.append((place, version))
        if owed.count > limit { dropReplaced(on: board) }
    }

    /// Takes the next pending event that was not replaced.
    func next(on board: borrowing EventBoard) -> Event? {
        while !isLost, let (place, version) = owed.popFirst() {
            switch board.standing(place, version: version) {
            case .current(let event): return event
            case .replaced: skipped += 1
            case .forgotten: lose()
            }
        }
        return nil
    }

    /// The client has missed something that it cannot be sent any more.
    func lose() {
        isLost = true
        owed = []
        skipped = 0
    }

    /// From now on these events are pending, and no others.
    func begin(with events: [(place: EventBoard.Place, version: UInt64)]) {
        isLost = false
        owed = events[...]
        limit = max(Self.smallest, 2 * owed.count)
        skipped = 0
    }

    private func dropReplaced(on board: borrowing EventBoard) {
        var current: [(place: EventBoard.Place, version: UInt64)] = []
        for (place, version) in owed {
            switch board.standing(place, version: version) {
            case .current: current.append((place, version))
            case .replaced: skipped += 1
            case .forgotten: return lose()
            }
        }
        owed = current[...]
        limit = max(Self.smallest, 2 * owed.count)
    }
}
