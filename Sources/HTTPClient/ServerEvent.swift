// SPDX-License-Identifier: Apache-2.0

package struct ServerEvent: Equatable, Sendable {
    package var name: String
    package var id: String?
    package var data: String
}

/// Reads server-sent events from bytes that come in any pieces.
///
/// - SeeAlso: WHATWG HTML, "Server-sent events", 9.2.6.
package struct ServerEventParser {
    /// The maximum size of an event of brightnessd, in bytes.
    static let defaultLongestEvent = 1 << 20

    /// Whether an event had more than `longestEvent` bytes. Nothing more is read then.
    package private(set) var isTooLong = false
    /// Milliseconds to wait before the next connection, as the server asked.
    package private(set) var retry: Int?
    private let longestEvent: Int
    private var rest: [UInt8] = []
    private var name = ""
    private var id: String?
    private var data: [Substring] = []
    /// Bytes of the event's lines so far.
    private var size = 0

    /// - Parameter longestEvent: In bytes. The server of a longer event is not the expected one: see `isTooLong`.
    package init(longestEvent: Int = defaultLongestEvent) { self.longestEvent = longestEvent }

    /// Returns the events that these bytes complete.
    package mutating func read(_ bytes: [UInt8]) -> [ServerEvent] {
        guard !isTooLong else { return [] }
        rest += bytes
        var events: [ServerEvent] = []
        var unread = rest[...]
        while let end = unread.firstIndex(of: UInt8(ascii: "\n")) {
            var line = unread[..<end]
            if line.last == UInt8(ascii: "\r") { line.removeLast() }
            if let event = readLine(String(decoding: line, as: UTF8.self)) { events.append(event) }
            unread = unread[(end + 1)...]
        }
        rest = Array(unread)
        if rest.count + size > longestEvent { (isTooLong, rest, data) = (true, [], []) }
        return events
    }

    /// Returns the event that an empty line completes.
    private mutating func readLine(_ line: String) -> ServerEvent? {
        guard line.isEmpty else {
            readField(line)
            return nil
        }
        defer { (name, data, size) = ("", [], 0) }
        guard !data.isEmpty else { return nil }
        return ServerEvent(name: name.isEmpty ? "message" : name, id: id, data: data.joined(separator: "\n"))
    }

    private mutating func readField(_ line: String) {
        size += line.utf8.count + 1
        let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        var value = parts.count > 1 ? parts[1] : ""
        if value.first == " " { value.removeFirst() }
        switch parts[0] {
        case "event": name = String(value)
        case "data": if size <= longestEvent { data.append(value) }
        case "id": id = String(value)
        case "retry": retry = Int32(value).map { max(Int($0), 0) } ?? retry
        default: break
        }
    }
}
