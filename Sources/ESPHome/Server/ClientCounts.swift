// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import Glibc
import Support

/// Counts clients, and reports them: those that come and leave at once, refused ones at most every `pause`, because any
/// stranger can cause them.
struct ClientCounts {
    private static let pause: Duration = .seconds(10)

    /// The names of the clients that have said hello, by their ids.
    private var greeted: [UInt64: String] = [:]
    private var refused = 0
    private let address: String
    private var key: HomeAssistantKey
    private var reported: HomeAssistantHealth
    private var lastReport: Instant?

    /// When a report is due; `nil` if none is.
    var deadline: Instant? {
        guard let lastReport, reported != current else { return nil }
        return lastReport + Self.pause
    }

    private var current: HomeAssistantHealth {
        HomeAssistantHealth(clients: greeted.count, refused: refused, key: key, address: address)
    }

    init(_ key: HomeAssistantKey, at address: String) {
        (self.key, self.address) = (key, address)
        reported = HomeAssistantHealth(key: key, address: address)
    }

    /// Forgets a connection that ended for lack of room.
    mutating func remove(_ connection: Connection) {
        if greeted.removeValue(forKey: connection.session.id) == nil { refused += 1 }
    }

    /// Notes a client that was refused at once.
    mutating func refuse(_ peer: PeerAddress, _ reason: String, _ bridge: ESPHomeBridge) {
        refused += 1
        bridge.log(.refusal, "refused \(peer.text): \(reason)")
    }

    /// Counts the begun and ended connections, and reports them. Call it before ended ones are removed.
    mutating func count(
        _ connections: [Connection],
        _ key: HomeAssistantKey,
        _ bridge: ESPHomeBridge,
        at now: Instant
    ) {
        self.key = key
        for connection in connections {
            let session = connection.session
            if connection.isOver {
                if let name = greeted.removeValue(forKey: session.id) {
                    bridge.log(.connection, "\(name) disconnected")
                } else if !session.isGreeted {
                    refused += 1
                    bridge.log(.refusal, "refused \(connection.peer.text): \(Self.reason(connection.refusal))")
                }
            } else if session.isGreeted, greeted[session.id] == nil {
                let name = session.name.isEmpty ? "a client" : session.name
                greeted[session.id] = "\(name) (\(connection.peer.text))"
                bridge.log(.connection, "\(name) (\(connection.peer.text)) connected")
            }
        }
        bridge.log.writeRemainders(at: now)
        let health = current
        guard health != reported else { return }
        let isUrgent = health.clients != reported.clients || health.key != reported.key
        guard isUrgent || lastReport.map({ $0 + Self.pause <= now }) ?? true else { return }
        (reported, lastReport) = (health, now)
        bridge.report(health)
    }

    private static func reason(_ refusal: FrameFailure?) -> String {
        switch refusal {
        case .wrongKey: "it has another key than the daemon"
        case .requiresEncryption: "it does not encrypt; give it the daemon's key"
        case .serverHasNoKey: "it encrypts, and the daemon has no key"
        case .tooLong, .malformed: "it does not speak ESPHome's protocol"
        case nil: "it sent no hello"
        }
    }
}

struct PeerAddress {
    /// For the log.
    let text: String
    let network: NetworkPrefix

    /// Accepts a connection. Returns `nil` if none waits, or with `errno` if there is no descriptor for it.
    static func accept(_ listener: Int32) -> (socket: Int32, peer: PeerAddress)? {
        var address = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        return withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                let socket = Glibc.accept(listener, address, &length)
                guard socket >= 0 else { return nil }
                let network = NetworkPrefix(address) ?? .unknown
                return (socket, PeerAddress(text: numericHost(of: address, length) ?? "unknown", network: network))
            }
        }
    }

    /// Whether it is of this machine, also one of IPv4 at a socket of IPv6.
    var isLocal: Bool { text == "::1" || text.hasPrefix("127.") || text.hasPrefix("::ffff:127.") }
}
