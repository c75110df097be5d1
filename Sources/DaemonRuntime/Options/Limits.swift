// SPDX-License-Identifier: Apache-2.0
import HTTPServer
import MQTTBridge
import WebAPI

/// The limits that `--limit` changes, under the names that they have there.
struct Limits: Sendable {
    /// Event streams and WebSockets of one client address.
    var streams = ClientLimit.defaultStreams
    /// Other connections of one client address; `nil` derives the limit from the available descriptors.
    var connections: ClientLimit?
    /// New connections of one client address in a second.
    var connects = ClientLimit.defaultConnects
    /// Changes of one client in a second.
    var writes = ClientLimit.defaultWrites
    /// Mirrored displays, and mirrored daemons; `nil` for `Bridge.defaultMirrorLimit`.
    var mirrored: Int?

    typealias Change = @Sendable (inout Limits) -> Void

    static let meaning = """
        For one address, streams limits event streams and WebSockets (\(ClientLimit.defaultStreams.count)), \
        connections all other connections, and connects new connections per second \
        (\(ClientLimit.defaultConnects.count)). For one client (its token, else its address), writes limits changes \
        per second (\(ClientLimit.defaultWrites.count)). mirrored limits the displays and the daemons of --mirror \
        (\(Bridge.defaultMirrorLimit) each). NAME=none disables a client's limit.
        """

    static let values = """
        streams, connections, connects or writes with = and none or a whole number from 1 to \(ClientLimit.largest), \
        or mirrored= and one from 1 to 100000, such as writes=20
        """

    /// Returns the change that `NAME=COUNT` makes; `nil` for a text that is not valid.
    static func change(from text: String) -> Change? {
        guard let (name, text) = text.halves(at: "=") else { return nil }
        if name == "mirrored" {
            guard let count = Int(text, in: 1...100_000) else { return nil }
            return { $0.mirrored = count }
        }
        guard let limit = ClientLimit(text) else { return nil }
        switch name {
        case "streams": return { $0.streams = limit }
        case "connections": return { $0.connections = limit }
        case "connects": return { $0.connects = limit }
        case "writes": return { $0.writes = limit }
        default: return nil
        }
    }
}

extension ClientLimit {
    fileprivate init?(_ text: Substring) {
        guard let count = text == "none" ? .max : Int(text, in: 1...Self.largest) else { return nil }
        self.init(count)
    }
}
