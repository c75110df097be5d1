// SPDX-License-Identifier: Apache-2.0

/// One event on its way to all outlets, around the ring of their places from `start` to `start`.
///
/// Outlets are served in slices, so that a request never waits for thousands of sends. Outlets that come meanwhile are
/// appended to the ring; they have the event already.
struct Sweep {
    let place: EventBoard.Place
    let version: UInt64
    let began = LoopTime.now
    private let start: Int
    private(set) var cursor: Int
    private var hasWrapped = false

    init(_ place: EventBoard.Place, version: UInt64, from start: Int) {
        self.place = place
        self.version = version
        self.start = start
        cursor = start
    }

    /// The next of `count` places; `nil` when all have been served.
    mutating func next(of count: Int) -> Int? {
        if !hasWrapped, cursor >= count {
            hasWrapped = true
            cursor = 0
        }
        guard !hasWrapped || cursor < min(start, count) else { return nil }
        defer { cursor += 1 }
        return cursor
    }

    /// Whether it has yet to come to this place of the ring.
    func isAhead(of index: Int) -> Bool {
        hasWrapped ? index >= cursor && index < start : index >= cursor || index < start
    }
}

/// The events on their way, oldest first.
struct Sweeps {
    private(set) var waiting: [Sweep] = []

    var first: Sweep? { waiting.first }

    /// Sends the newest event of a place to all outlets.
    ///
    /// If an older one of that place is still on its way, those it has not reached get only the new one, and are first.
    mutating func begin(_ place: EventBoard.Place, version: UInt64) {
        let older = waiting.firstIndex { $0.place == place }.map { waiting.remove(at: $0) }
        waiting.append(Sweep(place, version: version, from: older?.cursor ?? 0))
    }

    mutating func replaceFirst(with sweep: Sweep) { waiting[0] = sweep }

    mutating func removeFirst() { waiting.removeFirst() }
}
