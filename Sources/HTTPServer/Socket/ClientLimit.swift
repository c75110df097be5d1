// SPDX-License-Identifier: Apache-2.0

/// How many of something one client may have.
package struct ClientLimit: Sendable {
    /// `Int.max` for any number.
    package let count: Int
    /// Not counted are clients of the same machine: its own pages, and a proxy, which stands for many.
    package let sparesLoopback: Bool

    package init(_ count: Int, sparesLoopback: Bool = false) {
        self.count = count
        self.sparesLoopback = sparesLoopback
    }

    /// The largest limit that is one. Rates are computed with it, so it must not overflow.
    package static let largest = 1_000_000

    /// Event streams and WebSockets. Far more than the tabs of one person, or the machines behind one router, open.
    package static let usualStreams = ClientLimit(256, sparesLoopback: true)
    /// Connects a second. The machines behind one router, or people behind another machine's proxy, come far less often.
    package static let usualConnects = ClientLimit(1_000, sparesLoopback: true)

    /// Connections that are no streams. Never all that one thread has room for.
    static func usualConnections(ofShard connections: Int) -> ClientLimit {
        ClientLimit(max(1, min(1_024, connections / 2)), sparesLoopback: true)
    }

    package func counts(_ client: ClientAddress) -> Bool { count < .max && !(sparesLoopback && client.isLoopback) }
}
