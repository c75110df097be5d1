// SPDX-License-Identifier: Apache-2.0
import Support

/// The delivery of events to all streams, and the beginning of a stream.
extension StreamConnections {
    /// The work of one turn, in visits of a stream.
    private static let slice = 16_384
    /// The costs of a send and of a reset, in visits.
    private static let costs = (send: 32, reset: 1_024)

    var isFanningOut: Bool { fanOuts.first != nil }

    /// Begins to send a batch. If it is everything, events may have been missed before, and every client starts over
    /// with the
    /// reset event.
    mutating func take(_ batch: EventBatch) {
        if batch.isEverything { retained.beginAgain(with: Set(batch.events.map(\.key)), endsAfter: batch.horizon) }
        for event in batch.events { post(event) }
        guard batch.isEverything, count > 0 else { return }
        fanOuts.removeAll()
        fanOuts.begin(.nowhere, version: retained.forgetAll())
    }

    /// Posts an event, unless the same one is retained already.
    private mutating func post(_ event: Event) {
        if retained.contains(event) { return }
        let (place, replaced) = retained.post(event)
        if count > 0 { fanOuts.begin(place, version: retained.version, insteadOf: replaced) }
        forgetPassing()
    }

    mutating func forgetPassing() { retained.forgetPassing(areAwaited: isFanningOut || slow > 0) }

    /// Sends one slice of the deliveries in progress.
    mutating func fanOut() {
        var budget = Self.slice
        while budget > 0, var fanOut = fanOuts.first {
            if advance(&fanOut, budget: &budget) {
                counts.fanOut.count(LoopTime.now - fanOut.began)
                fanOuts.removeFirst()
                forgetPassing()
            } else {
                fanOuts.replaceFirst(with: fanOut)
            }
        }
    }

    /// Serves streams until the budget is used. Returns whether all have been served.
    private mutating func advance(
        _ fanOut: inout FanOut,
        budget: inout Int
    ) -> Bool {
        guard let entry = retained[fanOut.place] else {
            // Its subject ended, or the event was forgotten too early.
            if fanOut.version > retained.forgotten { return true }
            return reset(&fanOut, budget: &budget)
        }
        let isFollowed = areFollowed(within: budget)
        budget -= groups.all.count
        let isWanted = areWanted(entry)
        let messages = Framing.allCases.map { framing in
            countByFraming[Int(framing.rawValue)] > 0 ? retained.encoded(fanOut.place, as: framing) : []
        }
        while budget > 0 {
            guard let index = fanOut.next(of: all.count) else { return true }
            budget -= 1
            guard all[index].isOpen, all[index].joined < fanOut.version, isWanted[Int(all[index].group)]
            else { continue }
            if let pendingOutput = all[index].pendingOutput {
                pendingOutput.enqueue(fanOut.place, version: fanOut.version)
                countPendingOutput(of: index)
                continue
            }
            budget -= Self.costs.send
            counts.deliveries += 1
            let group = Int(all[index].group)
            send(messages[Int(all[index].framing.rawValue)], isFollowed: isFollowed?[group] ?? false, to: index)
        }
        return false
    }

    /// Returns for each group whether its filter includes an event.
    private func areWanted(_ entry: RetainedEvents.Entry) -> [Bool] {
        let labels = retained.reach(of: entry)
        return groups.all.map { $0.filter.includes(entry.event, labels: labels) }
    }

    /// Returns for each group whether its streams receive the next event, too, before this turn ends; `nil` if the
    /// budget may end first. The events of such a stream share a segment.
    private func areFollowed(within budget: Int) -> [Bool]? {
        guard let next = fanOuts.second, let entry = retained[next.place],
            2 * (groups.all.count + all.count * (1 + Self.costs.send)) <= budget
        else { return nil }
        return areWanted(entry)
    }

    /// Resets the streams that a fan-out has not reached. Returns whether all have been served.
    private mutating func reset(
        _ fanOut: inout FanOut,
        budget: inout Int
    ) -> Bool {
        while budget > 0 {
            guard let index = fanOut.next(of: all.count) else { return true }
            budget -= 1
            guard all[index].isOpen, all[index].joined < fanOut.version else { continue }
            if let pendingOutput = all[index].pendingOutput {
                pendingOutput.lose()
                continue
            }
            budget -= Self.costs.reset
            let pendingOutput = PendingOutput(at: clock.second)
            pendingOutput.lose()
            setPendingOutput(pendingOutput, of: index)
            renewInterest(index)
            flush(index)
        }
        return false
    }

    // MARK: Beginning

    /// Sends the beginning of a stream. Beyond `PendingOutput.fill` bytes the events stay pending, so that a client
    /// that reads
    /// nothing costs no copy of them.
    ///
    /// - Parameter ends: Events that come before the beginning.
    mutating func begin(
        _ index: Int,
        with greeting: [UInt8],
        _ start: StreamStart,
        behind ends: [RetainedEvents.Pending] = []
    ) {
        let (framing, filter) = (all[index].framing, groups[all[index].group].filter)
        let (isReset, beginning) = retained.beginning(filter, start)
        var places = (ends + beginning)[...]
        var bytes = greeting + (isReset ? retained.formats.reset(as: framing) : [])
        if all[index].pendingOutput == nil {
            while bytes.count < PendingOutput.fill, let (place, _) = places.popFirst() {
                bytes += retained.encoded(place, as: framing)
            }
            if !bytes.isEmpty { send(bytes, to: index) }
        } else {
            sendAnswer(bytes, to: index)
        }
        guard !places.isEmpty, all[index].isOpen else { return }
        let pendingOutput = all[index].pendingOutput ?? PendingOutput(at: clock.second)
        setPendingOutput(pendingOutput, of: index)
        for (place, version) in places { pendingOutput.enqueue(place, version: version) }
        renewInterest(index)
        flush(index)
    }

    /// Changes the filter of a stream. The ends being sent come first, then the retained events.
    mutating func begin(_ index: Int, _ start: StreamStart, of filter: EventFilter) {
        let pending = all[index].pendingOutput ?? PendingOutput(at: clock.second)
        absorbFanOuts(index, pending)
        var ends: [RetainedEvents.Pending] = []
        while let (place, entry) = pending.next(in: retained) {
            guard !entry.event.isRetained, filter.includes(entry.event, labels: retained.reach(of: entry))
            else { continue }
            ends.append((place, entry.version))
        }
        let start = pending.isLost ? .reset : start
        pending.begin(with: [])
        setFilter(filter, of: index)
        begin(index, with: [], start, behind: ends)
    }
}
