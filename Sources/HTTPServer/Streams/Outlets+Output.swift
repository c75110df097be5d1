// SPDX-License-Identifier: Apache-2.0
import Glibc

/// How bytes get to clients, and what waits for those that do not keep up.
extension Outlets {
    /// Sends what may not be left out, behind what is under way.
    mutating func say(_ bytes: [UInt8], to index: Int) {
        if bytes.isEmpty { return }
        guard let backlog = all[index].backlog else {
            return send(bytes, isAnswer: true, to: index)
        }
        let before = interest(of: index)
        backlog.answer(bytes)
        if interest(of: index) != before { renewInterest(index) }
        countBacklog(of: index)
    }

    mutating func send(
        _ bytes: [UInt8],
        isAnswer: Bool = false,
        to index: Int
    ) {
        let sent = transmit(bytes[...], on: all[index].socket)
        guard sent != bytes.count else {
            all[index].lastSent = clock.second
            return
        }
        guard sent >= 0 else { return close(index) }
        setBacklog(Backlog(tail: bytes[sent...], isAnswer: isAnswer, at: clock.second), of: index)
        renewInterest(index)
        countBacklog(of: index)
    }

    /// The client takes bytes again: the rest of what it had begun to get, then the newest of each key it is owed.
    mutating func flush(_ index: Int) {
        guard let backlog = all[index].backlog else { return }
        let before = interest(of: index)
        absorbSweeps(index, backlog)
        repeat {
            guard !backlog.isSent else { continue }
            let sent = transmit(backlog.unsent, on: all[index].socket)
            guard sent >= 0 else { return close(index) }
            backlog.take(sent, at: clock.second)
            guard backlog.isSent else {
                if interest(of: index) != before { renewInterest(index) }
                outputTaken(by: index)
                return countBacklog(of: index)
            }
            if backlog.isEnding { return finish(index) }
        } while refill(backlog, of: index)
        endBacklog(of: index)
        all[index].lastSent = clock.second
        renewInterest(index)
        outputTaken(by: index)
    }

    private mutating func outputTaken(by index: Int) {
        if all[index].framing.isTwoWay { input.outputTaken(by: index, in: &self) }
    }

    /// Puts what comes next in the place of what is sent; `false` if nothing is left. A client that has missed something
    /// begins again.
    private mutating func refill(_ backlog: Backlog, of index: Int) -> Bool {
        if backlog.beginAnswers() { return true }
        guard backlog.owesEvents else { return backlog.beginFarewell() }
        let framing = all[index].framing
        var bytes: [UInt8] = []
        while bytes.count < Backlog.fill {
            if let (place, entry) = backlog.next(on: board) {
                let skipped = backlog.skipped
                bytes +=
                    skipped == 0
                    ? board.encoded(place, as: framing)
                    : board.formats.encode(entry.event, as: framing, skipped: skipped)
                counts.deliveries += 1
                counts.skipped += UInt64(skipped)
                backlog.skipped = 0
            } else if backlog.isLost {
                let filter = readerships[all[index].readership].filter
                backlog.begin(with: board.retained(filter))
                if filter.includes(board.formats.encoding.reset) { bytes += board.formats.reset(as: framing) }
            } else {
                break
            }
        }
        backlog.beginEvents(bytes)
        return true
    }

    /// What is on its way to this outlet it now gets as owed, and not once more when the sweep comes by.
    mutating func absorbSweeps(_ index: Int, _ backlog: Backlog) {
        for sweep in sweeps.waiting where sweep.isAhead(of: index) && all[index].joined < sweep.version {
            guard let entry = board[sweep.place] else {
                if sweep.version <= board.forgotten { backlog.lose() }
                continue
            }
            let filter = readerships[all[index].readership].filter
            if filter.includes(entry.event) { backlog.owe(sweep.place, version: sweep.version) }
        }
        all[index].joined = board.version
    }

    /// How many bytes the kernel took: 0 when it has no room, -1 when the connection is gone.
    private func transmit(_ bytes: ArraySlice<UInt8>, on socket: Int32) -> Int {
        bytes.withUnsafeBytes { bytes in
            let sent = Glibc.send(socket, bytes.baseAddress, bytes.count, TransferFlags.quietly | TransferFlags.atOnce)
            if sent >= 0 { return sent }
            return errno == EAGAIN || errno == EINTR || errno == ENOBUFS ? 0 : -1
        }
    }

    // MARK: How much waits

    /// Call it whenever a backlog grows or shrinks. While all of them hold more than they may, the largest is closed: so a
    /// client that takes nothing pays, and not one that comes later.
    mutating func countBacklog(of index: Int) {
        guard let backlog = all[index].backlog else { return }
        backlogBytes += backlog.bytes - backlog.counted
        backlog.counted = backlog.bytes
        while backlogBytes > backlogLimit, let largest = largestBacklog { giveUp(largest) }
    }

    private var largestBacklog: Int? {
        all.indices.filter { all[$0].backlog != nil }.max {
            (all[$0].backlog?.counted ?? 0) < (all[$1].backlog?.counted ?? 0)
        }
    }

    mutating func endBacklog(of index: Int) {
        backlogBytes -= all[index].backlog?.counted ?? 0
        setBacklog(nil, of: index)
    }

    /// Ends that no client has yet to take are forgotten sooner.
    mutating func setBacklog(_ backlog: Backlog?, of index: Int) {
        slow += (backlog == nil ? 0 : 1) - (all[index].backlog == nil ? 0 : 1)
        all[index].backlog = backlog
        if slow == 0 { forgetPassing() }
    }
}
