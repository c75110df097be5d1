// SPDX-License-Identifier: Apache-2.0
import Metrics

/// How events get to all outlets, and what a stream begins with.
extension Outlets {
    /// Work between two looks at everything else, in visits of an outlet.
    private static let slice = 16_384
    /// What a send costs, and a reset: both of this many visits.
    private static let costs = (send: 32, reset: 1_024)

    var isSweeping: Bool { sweeps.first != nil }

    /// Begins to send what is new. Where it is everything there is, something may have been missed before, and every client
    /// begins again.
    mutating func take(_ news: News) {
        if news.isEverything { board.beginAgain(with: Set(news.events.map(\.key)), endsAfter: news.horizon) }
        for event in news.events { post(event) }
        guard news.isEverything, count > 0 else { return }
        sweeps.removeAll()
        sweeps.begin(.nowhere, version: board.forgetAll())
    }

    /// What is retained already is not sent again.
    private mutating func post(_ event: Event) {
        if board.retains(event) { return }
        let (place, replaced) = board.post(event)
        if count > 0 { sweeps.begin(place, version: board.version, insteadOf: replaced) }
        forgetPassing()
    }

    mutating func forgetPassing() { board.forgetPassing(areAwaited: isSweeping || slow > 0) }

    /// Sends one slice of what is on its way.
    mutating func sweep() {
        var budget = Self.slice
        while budget > 0, var sweep = sweeps.first {
            if advance(&sweep, budget: &budget) {
                counts.fanOut.count(LoopTime.now - sweep.began)
                sweeps.removeFirst()
                forgetPassing()
            } else {
                sweeps.replaceFirst(with: sweep)
            }
        }
    }

    /// Returns whether all outlets have been served.
    private mutating func advance(
        _ sweep: inout Sweep,
        budget: inout Int
    ) -> Bool {
        guard let entry = board[sweep.place] else {
            // Its subject is over, or it was forgotten too early.
            if sweep.version > board.forgotten { return true }
            return reset(&sweep, budget: &budget)
        }
        budget -= readerships.all.count
        let isWanted = readerships.all.map { $0.filter.includes(entry.event) }
        let messages = Framing.allCases.map { framing in
            countByFraming[Int(framing.rawValue)] > 0 ? board.encoded(sweep.place, as: framing) : []
        }
        while budget > 0 {
            guard let index = sweep.next(of: all.count) else { return true }
            budget -= 1
            guard all[index].isOpen, all[index].joined < sweep.version, isWanted[Int(all[index].readership)]
            else { continue }
            if let backlog = all[index].backlog {
                backlog.owe(sweep.place, version: sweep.version)
                countBacklog(of: index)
                continue
            }
            budget -= Self.costs.send
            counts.deliveries += 1
            send(messages[Int(all[index].framing.rawValue)], to: index)
        }
        return false
    }

    /// Has the outlets that a sweep has not reached begin again. Returns whether all have been served.
    private mutating func reset(
        _ sweep: inout Sweep,
        budget: inout Int
    ) -> Bool {
        while budget > 0 {
            guard let index = sweep.next(of: all.count) else { return true }
            budget -= 1
            guard all[index].isOpen, all[index].joined < sweep.version else { continue }
            if let backlog = all[index].backlog {
                backlog.lose()
                continue
            }
            budget -= Self.costs.reset
            let backlog = Backlog(at: clock.second)
            backlog.lose()
            setBacklog(backlog, of: index)
            renewInterest(index)
            flush(index)
        }
        return false
    }

    // MARK: Beginning

    /// Sends what begins a stream. What is more than `Backlog.fill` is pending, so that a client that takes nothing costs no
    /// copy of it.
    ///
    /// - Parameter ends: What comes before it.
    mutating func begin(
        _ index: Int,
        with greeting: [UInt8],
        _ start: StreamStart,
        behind ends: [EventBoard.Pending] = []
    ) {
        let (framing, filter) = (all[index].framing, readerships[all[index].readership].filter)
        let (isReset, beginning) = board.beginning(filter, start)
        var places = (ends + beginning)[...]
        var bytes = greeting + (isReset ? board.formats.reset(as: framing) : [])
        if all[index].backlog == nil {
            while bytes.count < Backlog.fill, let (place, _) = places.popFirst() {
                bytes += board.encoded(place, as: framing)
            }
            if !bytes.isEmpty { send(bytes, to: index) }
        } else {
            say(bytes, to: index)
        }
        guard !places.isEmpty, all[index].isOpen else { return }
        let backlog = all[index].backlog ?? Backlog(at: clock.second)
        setBacklog(backlog, of: index)
        for (place, version) in places { backlog.owe(place, version: version) }
        renewInterest(index)
        flush(index)
    }

    /// From now on other events; first the ends that are on their way, then what is retained.
    mutating func begin(_ index: Int, _ start: StreamStart, of filter: EventFilter) {
        let pending = all[index].backlog ?? Backlog(at: clock.second)
        absorbSweeps(index, pending)
        var ends: [EventBoard.Pending] = []
        while let (place, entry) = pending.next(on: board) {
            if !entry.event.isRetained, filter.includes(entry.event) { ends.append((place, entry.version)) }
        }
        let start = pending.isLost ? .reset : start
        pending.begin(with: [])
        setFilter(filter, of: index)
        begin(index, with: [], start, behind: ends)
    }
}
