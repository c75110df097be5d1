// SPDX-License-Identifier: Apache-2.0

/// The protocol of a stream connection.
enum Framing: UInt8, CaseIterable {
    /// An event stream over HTTP/1.1.
    case chunked
    /// An event stream over HTTP/1.0.
    case plain
    /// A WebSocket. Its format and its input are implemented in the folder `WebSocket`.
    case webSocket

    /// Whether its client may send messages, which a `StreamInput` reads.
    var isTwoWay: Bool { self == .webSocket }
}

/// The bytes of a protocol that carries events.
protocol StreamFormat: Sendable {
    /// - Parameter data: The event's data, or the data that replaces it.
    func encode(_ event: Event, _ data: [UInt8]) -> [UInt8]

    /// The bytes before the first event.
    var greeting: [UInt8] { get }

    /// The bytes that keep a silent connection alive.
    var keepAlive: [UInt8] { get }

    /// The last bytes when the server stops.
    var farewell: [UInt8] { get }

    /// The last bytes when the client's authorization is no longer valid.
    var revocation: [UInt8] { get }
}

/// The application's encoding of events. The server does not know their format.
package struct EventEncoding: Sendable {
    /// The event that notifies a client of missed events. Its earlier state may be outdated; all retained events
    /// follow.
    package let reset: Event
    /// The event after those with which a stream begins: the client has every retained event. `nil` for none.
    let synced: Event?
    /// Returns the data of an event for a client that missed `skipped` events just before it.
    let data: @Sendable (_ event: Event, _ skipped: Int) -> [UInt8]
    /// Returns an event as a text message of a WebSocket.
    let message: @Sendable (_ event: Event, _ data: [UInt8]) -> [UInt8]

    /// Creates an encoding. By default events are their data, and skipped events are not reported.
    ///
    /// - Parameters:
    ///   - resetData: The data of the event `reset`.
    ///   - syncedData: The data of the event `synced`; `nil` for none.
    package init(
        resetData: [UInt8] = [],
        syncedData: [UInt8]? = nil,
        data: @escaping @Sendable (_ event: Event, _ skipped: Int) -> [UInt8] = { event, _ in event.data },
        message: @escaping @Sendable (_ event: Event, _ data: [UInt8]) -> [UInt8] = { _, data in data }
    ) {
        reset = Self.streamEvent("reset", resetData)
        synced = syncedData.map { Self.streamEvent("synced", $0) }
        self.data = data
        self.message = message
    }

    private static func streamEvent(_ name: String, _ data: [UInt8]) -> Event {
        Event(key: name, name: name, subject: nil, id: nil, order: 0, data: data, isRetained: false)
    }

    /// The types of the events about streams themselves. Every filter of types includes them.
    package var types: [String] { [reset, synced].compactMap { $0?.type } }
}

struct StreamFormats: Sendable {
    let encoding: EventEncoding
    private let formats: [any StreamFormat]

    init(_ encoding: EventEncoding, webSocket: any StreamFormat) {
        self.encoding = encoding
        formats = Framing.allCases.map { framing -> any StreamFormat in
            switch framing {
            case .chunked: EventStreamFormat(isChunked: true)
            case .plain: EventStreamFormat(isChunked: false)
            case .webSocket: webSocket
            }
        }
    }

    subscript(framing: Framing) -> any StreamFormat { formats[Int(framing.rawValue)] }

    /// - Parameter skipped: The number of events that the client missed just before this one.
    func encode(_ event: Event, as framing: Framing, skipped: Int = 0) -> [UInt8] {
        self[framing].encode(event, skipped > 0 ? encoding.data(event, skipped) : event.data)
    }

    /// Returns the bytes of the event `reset` or `synced`; none for a filter without it.
    func encode(_ event: Event?, ifIn filter: EventFilter, as framing: Framing) -> [UInt8] {
        event.map { filter.includes($0) ? encode($0, as: framing) : [] } ?? []
    }
}
