// SPDX-License-Identifier: Apache-2.0

/// An adopted socket with what it asked for and what it is still owed. 56 bytes while it keeps up.
struct Outlet {
    /// -1 while the place is empty.
    var socket: Int32 = -1
    /// Whose it is counted as.
    var client = ClientAddress.loopback
    /// Tells this outlet from earlier ones in its place, in epoll's tokens.
    var generation: UInt32 = 0
    var framing = Framing.chunked
    /// Which of the shard's distinct readerships it is of.
    var readership: UInt32 = 0
    /// When anything was last sent, in the shard's seconds.
    var lastSent: UInt32 = 0
    /// The board's version at its start: up to there it has everything.
    var joined: UInt64 = 0
    /// Only while the client does not keep up.
    var backlog: Backlog?
    /// A WebSocket's `WebSocket`; a stream's whatever the application wants to live as long.
    var companion: AnyObject?

    var isOpen: Bool { socket >= 0 }

    var webSocket: WebSocket? { framing == .webSocket ? companion as? WebSocket : nil }
}

/// What a client that does not keep up is owed. Bounded by the number of events on the board.
final class Backlog {
    /// The rest of a message that was sent in part.
    var tail: [UInt8]
    /// Whole frames that go before what is owed: answers and pongs, none of which may be left out.
    var answers: [UInt8] = []
    /// `tail` was answers: an event comes next, so that a client that asks without end still hears what happens.
    var answeredLast = false
    /// Whose newest event comes next, in order, and its version.
    var owed: [(place: EventBoard.Place, version: UInt64)] = []
    /// How many events were replaced by newer ones before the client could take them.
    var skipped = 0
    /// When the client last took a byte, in the shard's seconds.
    var lastProgress: UInt32
    /// What comes after all that is owed, and ends the stream.
    var farewell: [UInt8]?
    /// `tail` is the farewell.
    var isEnding = false

    init(tail: [UInt8], at second: UInt32) {
        self.tail = tail
        lastProgress = second
    }

    /// The newest comes last, so that what is sent has growing ids.
    func owe(_ place: EventBoard.Place, version: UInt64) {
        if let older = owed.firstIndex(where: { $0.place == place }) {
            guard owed[older].version != version else { return }
            owed.remove(at: older)
            skipped += 1
        }
        owed.append((place, version))
    }
}
