// SPDX-License-Identifier: Apache-2.0
import Support

/// The delivery of events to all streams, and the beginning of a stream.
extension StreamConnections {
    /// The budget of one turn. Its unit is a visit of a stream.
    private static let slice = 16_384
    /// The costs in visits: of a filter, of a send of a few bytes, and of a reset.
    private static let costs = (filter: 8, send: 32, reset: 1_024)
    /// The bytes that cost as much as a visit, to encode and to send them.
    private static let bytesPerVisit = 32
    /// The bytes after which the clock is read.
    private static let bytesPerClockRead = 65_536

    private static func cost(ofBytes count: Int) -> Int { max(costs.send, count / bytesPerVisit) }

    var isFanningOut: Bool { fanOuts.first != nil }

    /// Begins to send a batch. After batches that replace all, every client starts over with the reset event, because
    /// events may have been missed before. No stream begins until they are complete.
    mutating func receive(_ batch: EventBatch) {
        if batch.replacesAll {
            fanOuts.removeAll()
            retained.removeAll(endsKnownSince: batch.endsKnownSince)
        }
        for event in batch.events { post(event) }
        guard retained.isIncomplete, !batch.isFollowed else { return }
        retained.markComplete()
        if count > 0 { fanOuts.begin(.invalid, version: retained.markAllMissed()) }
    }

    /// Posts an event, unless the same one is retained already.
    private mutating func post(_ event: Event) {
        if event.isWithdrawal { return retained.withdraw(event.key) }
        if retained.contains(event) { return }
        let replacesUnsent = retained.version(ofKey: event.key).map { fanOuts.contains($0) } ?? false
        let (handle, replaced) = retained.post(event, insteadOfUnsent: replacesUnsent)
        // Once complete, each stream receives everything.
        if count > 0, !retained.isIncomplete {
            fanOuts.begin(handle, version: retained.version, insteadOf: replaced)
        }
        forgetPassing()
    }

    mutating func forgetPassing() { retained.forgetPassing(areAwaited: isFanningOut || pendingStreams > 0) }

    /// Sends one slice of the deliveries in progress, or as much as this turn has time for.
    mutating func fanOut() {
        var budget = Self.slice
        while budget > 0, var fanOut = fanOuts.first {
            if serve(&fanOut, budget: &budget) {
                let now = LoopTime.now
                counts.fanOut.count(now - fanOut.began)
                fanOuts.removeFirst()
                forgetPassing()
                if now >= turnEnd { return }
            } else {
                fanOuts.replaceFirst(with: fanOut)
            }
        }
    }

    /// Serves streams until the budget is used. Returns whether all have been served.
    private mutating func serve(_ fanOut: inout FanOut, budget: inout Int) -> Bool {
        guard let entry = retained[fanOut.handle] else {
            // The event is gone. If its subject ended, nobody needs it. If it was forgotten, the streams missed it.
            if fanOut.version > retained.lastForgotten { return true }
            return reset(&fanOut, budget: &budget)
        }
        // How some groups receive this event may be known since it was the following one (`receives`).
        if nextDeliveries.version == fanOut.version { swap(&deliveries, &nextDeliveries) }
        deliveries.begin(fanOut.version, groups: groups.limit)
        let next = followingEvent(behind: entry, within: budget)
        // The encoded event, by framing: made for the first stream with it.
        var messages = Framing.allCases.map { _ in nil as SharedBytes? }
        var unclocked = 0
        while budget > 0 {
            guard let index = fanOut.next(of: all.count) else { return true }
            budget -= 1
            // A stream that joined later has the event already.
            guard all[index].isOpen, all[index].joined < fanOut.version else { continue }
            let (group, framing) = (all[index].group, Int(all[index].framing.rawValue))
            let delivery = delivery(of: entry, to: group, budget: &budget)
            if delivery == .excluded { continue }
            // Other events come first: those of the subject that enters, or those that wait for this stream.
            if delivery == .entering || all[index].pendingOutput != nil {
                enqueue(fanOut, as: delivery, to: index, budget: &budget)
                continue
            }
            counts.deliveries += 1
            let known = messages[framing]
            let message = known ?? SharedBytes(retained.encoded(fanOut.handle, as: all[index].framing))
            messages[framing] = message
            // To send it, and the first time to encode it.
            budget -= Self.cost(ofBytes: message.count) * (known == nil ? 2 : 1)
            send(message, isFollowed: next.map { receives($0, group) } ?? false, to: index)
            unclocked += message.count
            guard unclocked >= Self.bytesPerClockRead else { continue }
            unclocked = 0
            if isTurnOver { budget = 0 }
        }
        return false
    }

    private mutating func delivery(of entry: RetainedEvents.Entry, to group: UInt32, budget: inout Int) -> Delivery {
        if let known = deliveries[group] { return known }
        budget -= Self.costs.filter
        let delivery = retained.delivery(of: entry, to: groups.filter(of: group))
        deliveries[group] = delivery
        return delivery
    }

    /// Adds an event to the pending output of a stream, which begins if there is none.
    private mutating func enqueue(_ fanOut: FanOut, as delivery: Delivery, to index: Int, budget: inout Int) {
        let known = all[index].pendingOutput
        let pendingOutput = known ?? PendingOutput(at: clock.second)
        enqueue(fanOut, as: delivery, groups.filter(of: all[index].group), pendingOutput)
        if known != nil { return countPendingOutput(of: index) }
        budget -= Self.costs.reset
        if pendingOutput.hasPendingEvents { beginPendingOutput(pendingOutput, of: index) }
    }

    /// The next event to send; `nil` if the budget may end before all streams have it. A stream that receives both in
    /// this turn receives them in one segment.
    private mutating func followingEvent(
        behind first: RetainedEvents.Entry,
        within budget: Int
    ) -> RetainedEvents.Entry? {
        guard let next = fanOuts.second, let entry = retained[next.handle] else { return nil }
        // With the bytes of a frame around the data.
        let bytes = max(first.event.data.count, entry.event.data.count) + 256
        guard 2 * all.count * (1 + Self.costs.filter + Self.cost(ofBytes: bytes)) <= budget else { return nil }
        nextDeliveries.begin(next.version, groups: groups.limit)
        return entry
    }

    /// Whether a group's streams receive the next event, too.
    private mutating func receives(_ next: RetainedEvents.Entry, _ group: UInt32) -> Bool {
        let delivery = nextDeliveries[group] ?? retained.delivery(of: next, to: groups.filter(of: group))
        nextDeliveries[group] = delivery
        // A stream whose filter the subject enters receives other events of it first.
        return delivery == .included
    }

    private mutating func beginPendingOutput(_ pendingOutput: PendingOutput, of index: Int) {
        setPendingOutput(pendingOutput, of: index)
        renewInterest(index)
        flush(index)
    }

    /// Resets the streams that a fan-out has not reached. Returns whether all have been served.
    private mutating func reset(_ fanOut: inout FanOut, budget: inout Int) -> Bool {
        while budget > 0 {
            guard let index = fanOut.next(of: all.count) else { return true }
            budget -= 1
            guard all[index].isOpen, all[index].joined < fanOut.version else { continue }
            if let pendingOutput = all[index].pendingOutput {
                pendingOutput.missEvent()
                continue
            }
            budget -= Self.costs.reset
            let pendingOutput = PendingOutput(at: clock.second)
            pendingOutput.missEvent()
            beginPendingOutput(pendingOutput, of: index)
        }
        return false
    }

    // MARK: Beginning

    /// Sends the beginning of a stream. Beyond `PendingOutput.fill` bytes the events stay pending, so that a client
    /// that reads nothing costs no copy of them.
    ///
    /// - Parameter ends: Events that come before the beginning.
    mutating func begin(
        _ index: Int,
        with greeting: [UInt8],
        _ start: StreamStart,
        behind ends: [RetainedEvents.Pending] = []
    ) {
        let (framing, filter) = (all[index].framing, groups.filter(of: all[index].group))
        let (isReset, beginning) = retained.beginning(filter, start)
        var events = (ends + beginning)[...]
        let encoding = retained.formats.encoding
        var bytes = greeting + (isReset ? retained.formats.encode(encoding.reset, ifIn: filter, as: framing) : [])
        if all[index].pendingOutput == nil {
            while bytes.count < PendingOutput.fill, let (handle, _) = events.popFirst() {
                bytes += retained.encoded(handle, as: framing)
            }
            let isWhole = events.isEmpty
            if isWhole { bytes += retained.formats.encode(encoding.synced, ifIn: filter, as: framing) }
            if !bytes.isEmpty { send(bytes, to: index) }
            if isWhole { return }
        } else {
            if !bytes.isEmpty { sendResponse([SharedBytes(bytes)], to: index) }
        }
        guard all[index].isOpen else { return }
        let pendingOutput = all[index].pendingOutput ?? PendingOutput(at: clock.second)
        pendingOutput.begin(with: Array(events))
        beginPendingOutput(pendingOutput, of: index)
    }

    /// Changes the filter of a stream. The ends being sent come first, then the retained events.
    mutating func changeFilter(of index: Int, to filter: EventFilter, _ start: StreamStart) {
        let pending = all[index].pendingOutput ?? PendingOutput(at: clock.second)
        absorbFanOuts(index, pending)
        var ends: [RetainedEvents.Pending] = []
        while let (handle, entry) = pending.next(in: retained) {
            guard !entry.event.isRetained, retained.delivery(of: entry, to: filter) != .excluded else { continue }
            ends.append((handle, entry.version))
        }
        let start = pending.hasMissedEvent ? .reset : start
        pending.begin(with: [])
        all[index].group = groups.move(from: all[index].group, to: filter)
        begin(index, with: [], start, behind: ends)
    }
}
