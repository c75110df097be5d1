// SPDX-License-Identifier: Apache-2.0
internal import CMicroHTTPD
import Glibc

/// The output of streams, and the pending output of clients that do not keep up.
extension StreamConnections {
    /// Sends the pieces of a message that may not be dropped, after the bytes in progress.
    mutating func sendResponse(_ pieces: [SharedBytes], to index: Int) {
        if let pendingOutput = all[index].pendingOutput {
            let before = interest(of: index)
            pendingOutput.respond(pieces)
            if interest(of: index) != before { renewInterest(index) }
            return countPendingOutput(of: index)
        }
        var rest = pieces[...]
        while let piece = rest.popFirst() {
            if send(piece, isResponse: true, isFollowed: !rest.isEmpty, to: index) { continue }
            // A closed stream has no pending output.
            all[index].pendingOutput?.extend(rest)
            return countPendingOutput(of: index)
        }
    }

    mutating func send(_ bytes: [UInt8], to index: Int) { send(SharedBytes(bytes), to: index) }

    /// - Parameter isFollowed: Whether the stream receives more in this turn.
    /// - Returns: Whether the kernel accepted all bytes.
    @discardableResult
    mutating func send(
        _ message: SharedBytes,
        isResponse: Bool = false,
        isFollowed: Bool = false,
        to index: Int
    ) -> Bool {
        let sent = transmit(message, on: all[index].socket, isFollowed: isFollowed)
        guard sent != message.count else {
            all[index].lastSent = clock.second
            return true
        }
        guard sent >= 0 else {
            endOutput(of: index)
            return false
        }
        // Only the rest of a response, which may have megabytes, is kept. Other streams may share the rest of an event.
        let (tail, done) = isResponse ? message.rest(behind: sent) : (message, sent)
        setPendingOutput(PendingOutput(tail: tail, sent: done, isResponse: isResponse, at: clock.second), of: index)
        renewInterest(index)
        countPendingOutput(of: index)
        return false
    }

    /// Continues to send: the rest of the current message, then the newest event of each pending key. Continues in the
    /// next turn when this turn's time is used: a client that reads as fast as it is sent to would have the whole turn.
    mutating func flush(_ index: Int) {
        guard let pendingOutput = all[index].pendingOutput else { return }
        let before = interest(of: index)
        absorbFanOuts(index, pendingOutput)
        repeat {
            while let (piece, done, isLast) = pendingOutput.unsent {
                let sent = transmit(piece, behind: done, on: all[index].socket, isFollowed: !isLast)
                guard sent >= 0 else { return endOutput(of: index) }
                pendingOutput.markSent(sent, at: clock.second)
                guard done + sent == piece.count, !isTurnOver || pendingOutput.isEnding else {
                    if interest(of: index) != before { renewInterest(index) }
                    outputTaken(by: index)
                    return countPendingOutput(of: index)
                }
            }
            if pendingOutput.isEnding { return finish(index) }
        } while refill(pendingOutput, of: index)
        endPendingOutput(of: index)
        all[index].lastSent = clock.second
        renewInterest(index)
        outputTaken(by: index)
    }

    /// Ends the output of a connection that its client closed. Of a WebSocket, messages may have arrived before: epoll
    /// reports the end in the next turn, behind them.
    private mutating func endOutput(of index: Int) {
        guard all[index].framing.isTwoWay, !all[index].isEnding else { return close(index) }
        shutdown(all[index].socket, Int32(SHUT_RDWR))
        endPendingOutput(of: index)
        renewInterest(index)
    }

    private mutating func outputTaken(by index: Int) {
        if all[index].framing.isTwoWay { input.outputTaken(by: index, in: &self) }
    }

    /// Replaces the sent bytes by the next ones; `false` if nothing is left. A client that missed an event starts over
    /// with the reset event.
    private mutating func refill(_ pendingOutput: PendingOutput, of index: Int) -> Bool {
        if pendingOutput.beginResponses() { return true }
        guard pendingOutput.hasPendingEvents else { return pendingOutput.beginFarewell() }
        let (framing, filter) = (all[index].framing, groups.filter(of: all[index].group))
        var bytes: [UInt8] = []
        while bytes.count < PendingOutput.fill {
            if let (handle, entry) = pendingOutput.next(in: retained) {
                let skipped = pendingOutput.skipped
                bytes +=
                    skipped == 0
                    ? retained.encoded(handle, as: framing)
                    : retained.formats.encode(entry.event, as: framing, skipped: skipped)
                counts.deliveries += 1
                counts.skipped += UInt64(skipped)
                pendingOutput.skipped = 0
            } else if pendingOutput.hasMissedEvent {
                pendingOutput.begin(with: retained.events(for: filter))
                bytes += retained.formats.encode(retained.formats.encoding.reset, ifIn: filter, as: framing)
            } else {
                guard pendingOutput.endBeginning() else { break }
                bytes += retained.formats.encode(retained.formats.encoding.synced, ifIn: filter, as: framing)
            }
        }
        // The pending events are over, and the filter excludes their ends. Responses or the farewell may follow.
        if bytes.isEmpty { return refill(pendingOutput, of: index) }
        pendingOutput.beginEvents(bytes)
        return true
    }

    /// Adds the deliveries in progress to the pending events of a stream, so that the fan-out skips it.
    mutating func absorbFanOuts(_ index: Int, _ pendingOutput: PendingOutput) {
        let filter = groups.filter(of: all[index].group)
        for fanOut in fanOuts.inProgress where fanOut.willServe(index) && all[index].joined < fanOut.version {
            guard let entry = retained[fanOut.handle] else {
                if fanOut.version <= retained.lastForgotten { pendingOutput.missEvent() }
                continue
            }
            enqueue(fanOut, as: retained.delivery(of: entry, to: filter), filter, pendingOutput)
        }
        all[index].joined = retained.version
    }

    /// Adds an event to pending ones: after the others of its subject, if that enters the filter.
    func enqueue(_ fanOut: FanOut, as delivery: Delivery, _ filter: EventFilter, _ pendingOutput: PendingOutput) {
        if delivery == .excluded { return }
        if delivery == .entering {
            for (handle, version) in retained.siblings(of: fanOut.handle, in: filter) {
                pendingOutput.enqueue(handle, version: version)
            }
            guard let event = retained[fanOut.handle]?.event, filter.includesType(of: event) else { return }
        }
        pendingOutput.enqueue(fanOut.handle, version: fanOut.version)
    }

    /// Returns the number of bytes that the kernel accepted: 0 if its buffer is full, -1 if the connection is closed.
    private func transmit(_ piece: SharedBytes, behind done: Int = 0, on socket: Int32, isFollowed: Bool) -> Int {
        let flags = TransferFlags.quietly | TransferFlags.atOnce | (isFollowed ? TransferFlags.withNext : 0)
        return piece.withUnsafeBytes { bytes in
            let sent = Glibc.send(socket, bytes.baseAddress.map { $0 + done }, bytes.count - done, flags)
            if sent >= 0 { return sent }
            return errno == EAGAIN || errno == EINTR || errno == ENOBUFS ? 0 : -1
        }
    }

    // MARK: How much waits

    /// Counts the bytes of a pending output. Call it whenever the output grows or shrinks.
    ///
    /// Beyond the limit the largest pending output is closed, so that a client that reads nothing is disconnected, and
    /// not a later one.
    mutating func countPendingOutput(of index: Int) {
        guard let pendingOutput = all[index].pendingOutput else { return }
        pendingBytes += pendingOutput.takeGrowth()
        while pendingBytes > pendingLimit, let largest = largestPendingOutput {
            counts.evicted += 1
            close(largest)
        }
    }

    private var largestPendingOutput: Int? {
        all.indices.filter { all[$0].pendingOutput != nil }.max {
            (all[$0].pendingOutput?.bytes ?? 0) < (all[$1].pendingOutput?.bytes ?? 0)
        }
    }

    mutating func endPendingOutput(of index: Int) {
        pendingBytes += all[index].pendingOutput?.releaseAll() ?? 0
        setPendingOutput(nil, of: index)
    }

    /// Sets a pending output. Without any, ends that no client waits for are forgotten sooner.
    mutating func setPendingOutput(_ pendingOutput: PendingOutput?, of index: Int) {
        pendingStreams += (pendingOutput == nil ? 0 : 1) - (all[index].pendingOutput == nil ? 0 : 1)
        all[index].pendingOutput = pendingOutput
        if pendingStreams == 0 { forgetPassing() }
    }
}
