// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// Many event streams of one server, read by one thread with one epoll set.
///
/// Closed loop: after a change, `awaitEvent` returns when every stream has an event that shows it.
package final class StreamCrowd {
    private struct Stream: ~Copyable {
        let socket: Socket
        var reader = EventReader()
        /// The number of the newest change this stream has shown. 0: no event yet. 1: its first event.
        var seen = 0
    }

    private let port: UInt16
    private let request: Request
    private let poller: Poller
    private let streams: UnsafeMutableBufferPointer<Stream>
    private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 * 1024, alignment: 16)
    private var change = 1
    private var missing = 0

    /// How many streams are open.
    package private(set) var count = 0
    /// How many events with data have arrived on all streams together.
    package private(set) var deliveries = 0
    /// The data of the newest event that arrived.
    package private(set) var newestData: [UInt8] = []

    /// No stream is open yet; there will never be more than `capacity`.
    package init(port: UInt16, request: Request, capacity: Int) throws(LoadError) {
        self.port = port
        self.request = request
        poller = try Poller()
        streams = .allocate(capacity: capacity)
    }

    deinit {
        for place in 0..<count { (streams.baseAddress! + place).deinitialize(count: 1) }
        streams.deallocate()
        buffer.deallocate()
    }

    /// Opens streams until there are `total`; returns when each has its first event.
    ///
    /// At most 64 are between connecting and their first event, so that what a server needs for arriving clients is
    /// the same for the first thousand and the ninth.
    package func grow(to total: Int) throws(LoadError) {
        precondition(total <= streams.count)
        while count < total {
            let place = count
            (streams.baseAddress! + place).initialize(to: Stream(socket: try Socket(port: port)))
            count += 1
            try poller.add(streams[place].socket, as: place)
            try streams[place].socket.send(request)
            missing += 1
            if missing >= 64 { try readUntil(missing: 32, showing: "data:") }
        }
        try readUntil(missing: 0, showing: "data:")
        for place in 0..<count { streams[place].seen = 1 }
        change = 1
    }

    /// Announces that the server is about to change: from now on streams count as missing until they show it.
    package func expectChange() {
        change += 1
        missing = count
    }

    /// Reads until every stream has an event that contains `mark`.
    package func awaitEvent(showing mark: String) throws(LoadError) {
        try readUntil(missing: 0, showing: mark)
    }

    /// - Throws: `.stalled` when ten seconds pass without any stream getting on.
    private func readUntil(missing goal: Int, showing mark: String) throws(LoadError) {
        let mark = Array(mark.utf8)
        let patience = 10
        var before = -1
        while missing > goal {
            if missing == before { throw .stalled(missing, of: count, seconds: patience) }
            before = missing
            let deadline = ContinuousClock.now + .seconds(patience)
            while missing > goal, missing == before, ContinuousClock.now < deadline {
                try poller.wait(milliseconds: 1000) { place throws(LoadError) in try self.read(place, mark) }
            }
        }
    }

    @inline(__always)
    private func read(_ place: Int, _ mark: [UInt8]) throws(LoadError) {
        guard let count = try streams[place].socket.receive(into: buffer) else { return }
        try streams[place].reader.read(UnsafeMutableRawBufferPointer(rebasing: buffer[..<count])) { event in
            guard let data = event.offset(of: "data:") else { return }  // `retry:` or a comment alone
            deliveries += 1
            if place == 0 { remember(event, from: data + 5) }
            guard streams[place].seen < change else { return }
            if mark.withUnsafeBytes({ event.offset(of: $0, from: data) }) != nil {
                streams[place].seen = change
                missing -= 1
            }
        }
    }

    private func remember(_ event: UnsafeRawBufferPointer, from start: Int) {
        newestData = Array(event[start...].drop { $0 == UInt8(ascii: " ") }.prefix { $0 != UInt8(ascii: "\n") })
    }
}
