// SPDX-License-Identifier: Apache-2.0
import Glibc

/// Silence, timeouts, and how streams end.
extension StreamConnections {
    /// Streams that one turn's part of a tick serves.
    private static let tickSlice = 512
    /// Seconds without an event after which a comment is sent.
    private static let heartbeat: UInt32 = 15
    /// Seconds without a byte taken after which a client is given up.
    private static let progressTimeout: UInt32 = 30
    /// Seconds a client has to end a two-way connection after our end of it.
    private static let lingering: UInt32 = 5

    var isTicking: Bool { ticked != nil }

    /// Sends comments to silent streams, pings WebSockets, and gives up clients that take nothing or do not answer. Call
    /// it once a second while there are streams, and while it `isTicking`: it serves some of many at a time.
    mutating func tick() {
        let comments = Framing.allCases.map { retained.formats[$0].keepAlive }
        let isRevoked = readerships.all.map { $0.permit.map { !$0.isValid } ?? false }
        let first = ticked ?? 0
        let end = min(first + Self.tickSlice, all.count)
        for index in first..<end where all[index].isOpen {
            if isRevoked[Int(all[index].readership)] {
                revoke(index)
            } else if let pendingOutput = all[index].pendingOutput {
                guard clock.second - pendingOutput.lastProgress >= Self.progressTimeout else { continue }
                giveUp(index)
            } else if all[index].isOver {
                if clock.second - all[index].lastSent >= Self.lingering { close(index) }
            } else if all[index].framing.isTwoWay {
                input.tick(index, in: &self)
            } else if clock.second - all[index].lastSent >= Self.heartbeat {
                send(comments[Int(all[index].framing.rawValue)], to: index)
            }
        }
        ticked = end < all.count ? end : nil
    }

    mutating func giveUp(_ index: Int) {
        counts.givenUp += 1
        close(index)
    }

    /// Its permit is no longer valid. A client that is slow to take its end does not get the time for more.
    private mutating func revoke(_ index: Int) {
        if all[index].pendingOutput != nil || all[index].isOver { return close(index) }
        end(index, with: retained.formats[all[index].framing].revocation)
    }

    /// Ends every stream cleanly: what it is owed, then its last words. Streams that do not take it at once have the time
    /// that is left; `closeAll` ends the rest. May be called again for newcomers.
    mutating func drain() {
        while isFanningOut { fanOut() }
        for index in all.indices where all[index].isOpen {
            end(index, with: retained.formats[all[index].framing].farewell)
        }
    }

    /// Ends a stream: what it is owed, then its last words. The first ones count.
    mutating func end(_ index: Int, with farewell: [UInt8]) {
        if all[index].isOver { return }
        all[index].isOver = true
        let pendingOutput = all[index].pendingOutput ?? PendingOutput(at: clock.second)
        pendingOutput.farewell = farewell
        setPendingOutput(pendingOutput, of: index)
        renewInterest(index)
        flush(index)
    }

    /// The last words are said.
    mutating func finish(_ index: Int) {
        guard all[index].framing.isTwoWay else { return close(index) }
        // Closing at once could cut off the last words, if the client has sent something we have not read: so our side
        // ends, and the client's end is waited for.
        endPendingOutput(of: index)
        all[index].joined = .max
        all[index].lastSent = clock.second
        shutdown(all[index].socket, Int32(SHUT_WR))
        renewInterest(index)
    }

    mutating func closeAll() {
        for index in all.indices where all[index].isOpen { close(index) }
    }
}
