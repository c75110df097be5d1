// SPDX-License-Identifier: Apache-2.0

import Load

/// A server under measurement: what to run, and what to ask of it. `Server` runs it.
///
/// Unless its port is known before, the program must print one line that contains `http://127.0.0.1:PORT` as soon as it
/// listens.
protocol Peer: Sendable {
    /// The name in the table.
    var name: String { get }
    /// The program's path and its arguments.
    var command: [String] { get }
    /// Environment variables in addition to this process's own.
    var environment: [String: String] { get }
    var port: UInt16? { get }
    /// The line that a program prints when it is ready, if it is not a server.
    var isReadyWhenItSays: String? { get }
}

extension Peer {
    var environment: [String: String] { [:] }
    var port: UInt16? { nil }
    var isReadyWhenItSays: String? { nil }
}

/// A peer that sends every change to all its event streams or WebSockets.
protocol EventPeer: Peer {
    var kind: StreamCrowd.Kind { get }
    /// Opens a stream, which begins with the newest event.
    var stream: Request { get }
    /// Makes a change, which every stream's next event shows as `Change.mark`.
    func change(to step: Int) -> Request
}

/// A peer that answers a GET with a short document.
protocol StatePeer: Peer {
    var state: Request { get }
}

/// A peer that takes changes and answers them.
protocol ChangePeer: Peer {
    /// Asked in turn on each connection.
    var changes: [Request] { get }
}
