// SPDX-License-Identifier: Apache-2.0

/// The bytes of the event stream format (WHATWG HTML, section 9.2).
enum ServerSentEvent {
    static func encode(_ event: Event, skipped: Int = 0) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(event.data.count + 96)
        bytes += "event: \(event.name)\n".utf8
        if let id = event.id { bytes += "id: \(id)\n".utf8 }
        bytes += "data: ".utf8
        bytes += event.data(skipped: skipped)
        bytes += "\n\n".utf8
        return bytes
    }

    /// Tells the client how long to wait before it connects again.
    static func retry(milliseconds: Int) -> [UInt8] { Array("retry: \(milliseconds)\n\n".utf8) }

    static let keepAlive = Array(": keep-alive\n\n".utf8)
}
