// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// Many event streams, or WebSockets, of one server, read by one thread with one epoll set.
///
/// - Closed loop: after `expectChange`, `awaitEvent` returns when every stream has an event that shows the change.
/// - Open loop: `follow` takes the time of each event from when its change was due.
package final class StreamCrowd {
    package enum Kind: String, Codable, Sendable {
        case events, webSockets
    }

    private enum Reader {
        case events(EventReader)
        case frames(FrameReader)
    }

    private struct Stream: ~Copyable {
        let socket: Socket
        var reader: Reader
        /// The number of the newest change this stream has shown. 0: no event yet. 1: its first event.
        var seen = 0
    }

    /// The number of addresses that the streams connect from.
    private static let sources = 16

    private let port: UInt16
    private let kind: Kind
    private let request: Request
    private let poller: Poller
    private let streams: UnsafeMutableBufferPointer<Stream>
    private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 * 1024, alignment: 16)
    private var change = 1
    private var missing = 0
    /// While it follows.
    private var due: [ContinuousClock.Instant?] = []

    /// The number of open streams.
    package private(set) var count = 0
    /// The number of events with data received on all streams together.
    package private(set) var deliveries = 0
    /// The data of the newest event that arrived on the first stream.
    package private(set) var newestData: [UInt8] = []
    /// The latencies of the measured events.
    package private(set) var latencies = Latencies()

    /// No stream is open yet; there will never be more than `capacity`.
    package init(port: UInt16, _ kind: Kind, request: Request, capacity: Int) throws(LoadError) {
        self.port = port
        self.kind = kind
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
            let reader: Reader = kind == .events ? .events(EventReader()) : .frames(FrameReader())
            let socket = try Socket(port: port, from: place % Self.sources)
            (streams.baseAddress! + place).initialize(to: Stream(socket: socket, reader: reader))
            count += 1
            try poller.add(streams[place].socket, as: place)
            try streams[place].socket.send(request)
            missing += 1
            if missing >= 64 { try readUntil(missing: 32, showing: Change.any) }
        }
        try readUntil(missing: 0, showing: Change.any)
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

    /// Starts to record latencies.
    package func follow() {
        due = Array(repeating: nil, count: Change.steps.upperBound)
        latencies.removeAll()
    }

    /// The change to this step was to be sent at this moment.
    package func expect(_ step: Int, dueAt moment: ContinuousClock.Instant) { due[step] = moment }

    /// Reads the input that arrives within this many milliseconds, from at most 64 streams.
    package func readSome(milliseconds: Int32) throws(LoadError) {
        try poller.wait(milliseconds: milliseconds, atMost: 64) { place throws(LoadError) in try self.read(place, []) }
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
        let bytes = UnsafeMutableRawBufferPointer(rebasing: buffer[..<count])
        switch streams[place].reader {
        case .events(var reader):
            try reader.read(bytes) { event in
                // `retry:` or a comment alone is not an event.
                if let data = event.offset(of: "data:") { take(event, from: data + 5, on: place, mark) }
            }
            streams[place].reader = .events(reader)
        case .frames(var reader):
            let isPinged = try reader.read(UnsafeRawBufferPointer(bytes)) { take($0, from: 0, on: place, mark) }
            streams[place].reader = .frames(reader)
            if isPinged { try streams[place].socket.send(Request.pong) }
        }
    }

    @inline(__always)
    private func take(_ event: UnsafeRawBufferPointer, from data: Int, on place: Int, _ mark: [UInt8]) {
        deliveries += 1
        if place == 0 { newestData = Array(event[data...].drop { $0 == 0x20 }.prefix { $0 != 0x0A }) }
        if !due.isEmpty, let step = Change.step(in: event), step < due.count, let moment = due[step] {
            latencies.record(ContinuousClock.now - moment)
        }
        guard streams[place].seen < change, !mark.isEmpty else { return }
        if mark.withUnsafeBytes({ event.offset(of: $0, from: data) }) != nil {
            streams[place].seen = change
            missing -= 1
        }
    }
}
