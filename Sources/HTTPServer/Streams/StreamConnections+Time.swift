// SPDX-License-Identifier: Apache-2.0
import Glibc

/// The heartbeats, timeouts and ends of streams.
extension StreamConnections {
    /// The number of streams that one turn's part of a tick serves.
    private static let tickSlice = 512
    /// Seconds without an event after which a comment is sent.
    private static let heartbeat: UInt32 = 15
    /// Seconds after which a client that reads nothing is disconnected.
    private static let progressTimeout: UInt32 = 30
    /// Seconds a client has to close a two-way connection after the server's end of it.
    private static let lingering: UInt32 = 5

    var isTicking: Bool { tickCursor != nil }

    /// Sends comments to silent streams, pings WebSockets, and disconnects clients that read nothing or do not answer.
    ///
    /// Call it once a second while there are streams, and in each turn while it `isTicking`: it serves a slice at a
    /// time.
    mutating func tick() {
        let comments = Framing.allCases.map { retained.formats[$0].keepAlive }
        let first = tickCursor ?? 0
        let end = min(first + Self.tickSlice, all.count)
        for index in first..<end where all[index].isOpen {
            if groups.isRevoked(all[index].group) {
                revoke(index)
            } else if let pendingOutput = all[index].pendingOutput {
                guard clock.second - pendingOutput.lastProgress >= Self.progressTimeout else { continue }
                counts.givenUp += 1
                close(index)
            } else if all[index].isEnding {
                if clock.second - all[index].lastSent >= Self.lingering { close(index) }
            } else if all[index].framing.isTwoWay {
                input.tick(index, in: &self)
            } else if clock.second - all[index].lastSent >= Self.heartbeat {
                send(comments[Int(all[index].framing.rawValue)], to: index)
            }
        }
        tickCursor = end < all.count ? end : nil
    }

    /// Ends a stream whose authorization is no longer valid. A slow client is disconnected without a farewell.
    private mutating func revoke(_ index: Int) {
        if all[index].pendingOutput != nil || all[index].isEnding { return close(index) }
        end(index, with: retained.formats[all[index].framing].revocation)
    }

    /// Ends every stream cleanly: pending events, then the farewell.
    ///
    /// A client that does not read them at once has the remaining time of the drain; `closeAll` ends the others. May be
    /// called again for new streams.
    mutating func drain() {
        // The end of a stream sends it the deliveries in progress, too.
        for index in all.indices where all[index].isOpen {
            end(index, with: retained.formats[all[index].framing].farewell)
        }
    }

    /// Ends a stream: pending events, then the farewell. The first farewell counts.
    mutating func end(_ index: Int, with farewell: [UInt8]) {
        if all[index].isEnding { return }
        all[index].isEnding = true
        let pendingOutput = all[index].pendingOutput ?? PendingOutput(at: clock.second)
        pendingOutput.farewell = farewell
        setPendingOutput(pendingOutput, of: index)
        renewInterest(index)
        flush(index)
    }

    /// Ends the connection after the farewell was sent.
    mutating func finish(_ index: Int) {
        guard all[index].framing.isTwoWay else { return close(index) }
        // Closing at once could cut off the farewell if unread input is left. So the server shuts down its side, and
        // waits for the client's close.
        endPendingOutput(of: index)
        // Later than every event, so that none is delivered.
        all[index].joined = .max
        all[index].lastSent = clock.second
        shutdown(all[index].socket, Int32(SHUT_WR))
        renewInterest(index)
    }

    mutating func closeAll() {
        for index in all.indices where all[index].isOpen { close(index) }
    }
}
