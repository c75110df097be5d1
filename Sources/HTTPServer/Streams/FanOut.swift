// SPDX-License-Identifier: Apache-2.0

/// The delivery of one event to all streams, around the ring of their indices from `start` to `start`.
///
/// Streams are served in slices, so that a request never waits for thousands of sends. Streams that begin during the
/// delivery are appended to the ring; they have the event already.
struct FanOut {
    let handle: RetainedEvents.Handle
    let version: UInt64
    let began = LoopTime.now
    private let start: Int
    private(set) var cursor: Int
    private var hasWrapped = false

    init(_ handle: RetainedEvents.Handle, version: UInt64, from start: Int) {
        self.handle = handle
        self.version = version
        self.start = start
        cursor = start
    }

    /// Returns the index of the next of `count` streams; `nil` when all have been served.
    mutating func next(of count: Int) -> Int? {
        if !hasWrapped, cursor >= count {
            hasWrapped = true
            cursor = 0
        }
        guard !hasWrapped || cursor < min(start, count) else { return nil }
        defer { cursor += 1 }
        return cursor
    }

    /// Whether the stream of this index is still to be served.
    func willServe(_ index: Int) -> Bool {
        hasWrapped ? (index >= cursor && index < start) : (index >= cursor || index < start)
    }
}

/// The deliveries in progress, oldest first.
struct FanOuts {
    private(set) var inProgress: ArraySlice<FanOut> = []

    var first: FanOut? { inProgress.first }
    var second: FanOut? { inProgress.dropFirst().first }

    /// Begins to send an event to all streams.
    ///
    /// If the event that it replaced is still being sent, the streams not yet reached receive only the new one, and
    /// first.
    mutating func begin(_ handle: RetainedEvents.Handle, version: UInt64, insteadOf replaced: UInt64? = nil) {
        let older = replaced.flatMap { index(of: $0) }.map { inProgress.remove(at: $0) }
        inProgress.append(FanOut(handle, version: version, from: older?.cursor ?? 0))
    }

    mutating func replaceFirst(with fanOut: FanOut) { inProgress[inProgress.startIndex] = fanOut }

    mutating func removeFirst() { _ = inProgress.popFirst() }

    mutating func removeAll() { inProgress = [] }

    /// Whether the event of this version has not reached all streams yet.
    func contains(_ version: UInt64) -> Bool { index(of: version) != nil }

    /// A binary search: the versions grow.
    private func index(of version: UInt64) -> Int? {
        var (start, end) = (inProgress.startIndex, inProgress.endIndex)
        while start < end {
            let middle = (start + end) / 2
            if inProgress[middle].version < version { start = middle + 1 } else { end = middle }
        }
        return start < inProgress.endIndex && inProgress[start].version == version ? start : nil
    }
}
