// SPDX-License-Identifier: Apache-2.0

/// The parsers of foreign input, and the facts that hold for any input.
///
/// `make fuzz` generates input with libFuzzer. `make test` replays the corpus in `Corpus`.
package enum FuzzTarget: String, CaseIterable, Sendable {
    /// Bytes of a connection: libmicrohttpd, the checks after it, and the requests that the application receives.
    case requests
    /// Single texts of a request's head: paths, hosts, times, conditions, tokens.
    case words
    /// JSON, and the body of every route.
    case bodies
    /// Messages of a WebSocket: JSON-RPC.
    case calls
    /// Bytes of a WebSocket: frames.
    case websocket
    /// Lines between the daemon and `brightness-ddc`, and the names that monitors report.
    case helper
    /// Messages of a CEC bus, and the EDID of a television.
    case television
    /// Files under `/sys`.
    case sysfs
    /// The event stream or the JSON document of a light sensor with an HTTP server.
    case device
    /// Messages of a broker: topics, states, leases, lights; and URLs of brokers.
    case mqtt
    /// Retained messages of a broker: a state, a list of leases, and a discovery message.
    case state, leases, discovery
    /// A sequence of a broker's messages, disconnects and reconnects.
    case broker
    /// The bytes of an ESPHome client: frames, the handshake, messages.
    case esphome
    /// The responses and events of a server to the command-line client, and the words of a command line.
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
        case .television: try TelevisionMessages.check(bytes)
        case .sysfs: try SysfsText.check(bytes)
        case .device: try DeviceAnswers.check(bytes)
        case .mqtt: try BrokerWords.check(bytes)
        case .state: try RetainedState.check(bytes)
        case .leases: try RetainedLeases.check(bytes)
        case .discovery: try RetainedDiscovery.check(bytes)
        case .broker: try BrokerStory.check(bytes)
        case .esphome: try ClientBytes.check(bytes)
        case .answers: try ClientInputs.check(bytes)
        }
    }
}

/// A fact that does not hold for this input.
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
    /// The bytes as text, with invalid UTF-8 replaced, for parsers of valid text.
    var text: String { String(decoding: self, as: UTF8.self) }
}
