// SPDX-License-Identifier: Apache-2.0

import Load

/// A server under measurement: what to run, and what to ask of it. `Server` runs it.
///
/// The program must print one line that contains `http://127.0.0.1:PORT` as soon as it listens.
protocol Peer: Sendable {
    /// As it appears in the table.
    var name: String { get }
    /// The program's path and its arguments.
    var command: [String] { get }
}

/// A peer that sends every change to all its event streams.
protocol EventPeer: Peer {
    /// Opens a stream, which begins with one event.
    var stream: Request { get }
    /// Changes to make in turn. Each must differ in its effect from the one before.
    var changes: [Change] { get }
}

/// A peer that answers a GET with a short document.
protocol StatePeer: Peer {
    var state: Request { get }
}

/// A request that changes something, and the bytes that every stream's next event contains once it has.
struct Change: Sendable {
    let request: Request
    let mark: String
}
