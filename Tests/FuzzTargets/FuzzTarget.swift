// SPDX-License-Identifier: Apache-2.0

/// Everything that reads bytes which somebody else chose, and what holds whatever they are.
///
/// `make fuzz` thinks them up by libFuzzer; `make test` takes those that were kept, in `Corpus`.
package enum FuzzTarget: String, CaseIterable, Sendable {
    /// Bytes of a connection: libmicrohttpd, the guard behind it, and what the application sees.
    case requests
    /// Texts of a request's head, each for itself: paths, hosts, times, conditions, tokens.
    case words
    /// JSON, and every body that a route takes.
    case bodies
    /// Messages of a WebSocket: JSON-RPC.
    case calls
    /// Bytes of a WebSocket: frames.
    case websocket
    /// Lines between the daemon and `brightness-ddc`, and what monitors say of themselves.
    case helper
    /// Files under `/sys`.
    case sysfs
    /// What comes from a broker: topics, states, boosts, lights; and the URLs of brokers.
    case mqtt
    /// A state, a list of leases and a configuration for Home Assistant that a broker retains.
    case state, boosts, discovery
    /// Everything that comes from a broker, in order, with connections lost and made.
    case broker
    /// What a server sends to the command-line client, and the words of a command line.
    case answers

    /// - Throws: `BrokenFact`.
    package func check(_ bytes: [UInt8]) throws {
        switch self {
        case .requests: try Requests.check(bytes)
        case .words: try Words.check(bytes)
        case .bodies: try Bodies.check(bytes)
        case .calls: try Calls.check(bytes)
        case .websocket: try WebSocketInput.check(bytes)
        case .helper: try HelperLines.check(bytes)
        case .sysfs: try SysfsText.check(bytes)
        case .mqtt: try BrokerWords.check(bytes)
        case .state: try RetainedState.check(bytes)
        case .boosts: try RetainedBoosts.check(bytes)
        case .discovery: try RetainedDiscovery.check(bytes)
        case .broker: try BrokerStory.check(bytes)
        case .answers: try ServerAnswers.check(bytes)
        }
    }
}

/// Something that should hold for all bytes, and does not for these.
package struct BrokenFact: Error, CustomStringConvertible {
    package let description: String
}

func require(_ holds: Bool, _ fact: @autoclosure () -> String) throws {
    if !holds { throw BrokenFact(description: fact()) }
}

func require<Value>(_ value: Value?, _ fact: @autoclosure () -> String) throws -> Value {
    guard let value else { throw BrokenFact(description: fact()) }
    return value
}

extension [UInt8] {
    /// The bytes as text, what is no UTF-8 replaced: for those who read texts that are valid already.
    var text: String { String(decoding: self, as: UTF8.self) }
}
