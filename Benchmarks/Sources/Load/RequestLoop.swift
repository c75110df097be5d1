// SPDX-License-Identifier: Apache-2.0

/// The same requests in turn, again and again, on some keep-alive connections: one thread, closed loop, no pipelining.
package final class RequestLoop {
    /// The result of one run.
    package struct Run: Sendable {
        package let answers: Int
        /// The time from the first request to the last response.
        package let elapsed: Duration
        /// The times from each request to its response. Empty unless requested.
        package let latencies: Latencies
    }

    private struct Client: ~Copyable {
        let socket: Socket
        let requests: [Request]
        /// The index of the request in progress.
        var turn = 0
        var sent = ContinuousClock.now
        var answer: [UInt8] = []
        /// The last answers that were read the long way, by turn.
        var models: [Response?]
    }

    private let poller: Poller
    private let clients: UnsafeMutableBufferPointer<Client>
    private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 * 1024, alignment: 16)
    private let measuresLatency: Bool
    private var latencies = Latencies()

    /// - Parameter requests: What each connection asks in turn, by its number.
    package init(
        port: UInt16,
        connections: Int,
        measuresLatency: Bool = false,
        requests: (Int) -> [Request]
    ) throws(LoadError) {
        self.measuresLatency = measuresLatency
        poller = try Poller()
        clients = .allocate(capacity: connections)
        var opened = 0
        do throws(LoadError) {
            for place in 0..<connections {
                let requests = requests(place)
                let client = Client(
                    socket: try Socket(port: port),
                    requests: requests,
                    models: Array(repeating: nil, count: requests.count)
                )
                (clients.baseAddress! + place).initialize(to: client)
                opened += 1
                clients[place].socket.sendAtOnce()
                try poller.add(clients[place].socket, as: place)
            }
        } catch {
            (clients.baseAddress!).deinitialize(count: opened)
            clients.deallocate()
            buffer.deallocate()
            throw error
        }
    }

    deinit {
        clients.baseAddress!.deinitialize(count: clients.count)
        clients.deallocate()
        buffer.deallocate()
    }

    /// Asks for `duration`, then waits for the answers still due.
    ///
    /// - Throws: `.unexpected` for any status but 2xx, `.closed` when the server does not keep connections.
    package func run(for duration: Duration) throws(LoadError) -> Run {
        let start = ContinuousClock.now
        let end = start + duration
        var answers = 0
        var due = clients.count
        var isAsking = true
        latencies.removeAll()
        for place in 0..<clients.count { try ask(place) }
        while due > 0 {
            let before = answers
            try poller.wait(milliseconds: 5000) { place throws(LoadError) in
                guard try self.readAnswer(place) else { return }
                answers += 1
                if isAsking { try self.ask(place) } else { due -= 1 }
            }
            let now = ContinuousClock.now
            if now >= end { isAsking = false }
            if answers == before, now >= end + .seconds(5) { throw .stalled(due, of: clients.count, seconds: 5) }
        }
        return Run(answers: answers, elapsed: ContinuousClock.now - start, latencies: latencies)
    }

    @inline(__always)
    private func ask(_ place: Int) throws(LoadError) {
        if measuresLatency { clients[place].sent = .now }
        try clients[place].socket.send(clients[place].requests[clients[place].turn])
    }

    @inline(__always)
    private func answered(_ place: Int) {
        if measuresLatency {
            latencies.record(ContinuousClock.now - clients[place].sent)
        }
        let next = clients[place].turn + 1
        clients[place].turn = next == clients[place].requests.count ? 0 : next
    }

    /// - Returns: Whether the answer is complete.
    @inline(__always)
    private func readAnswer(_ place: Int) throws(LoadError) -> Bool {
        guard let count = try clients[place].socket.receive(into: buffer) else { return false }
        let bytes = UnsafeRawBufferPointer(rebasing: buffer[..<count])
        let turn = clients[place].turn
        if clients[place].answer.isEmpty, clients[place].models[turn]?.repeats(in: bytes) ?? false {
            answered(place)
            return true
        }

        clients[place].answer += bytes
        let parsed = clients[place].answer.withUnsafeBytes { bytes in
            Result { () throws(LoadError) in try Response(head: bytes) }
        }
        guard let response = try parsed.get() else { return false }
        guard (200..<300).contains(response.status) else {
            throw .unexpected(answer: String(decoding: clients[place].answer.prefix(400), as: UTF8.self))
        }
        guard !response.closes else { throw .closed(during: "after an answer") }
        guard clients[place].answer.count >= response.length else { return false }
        clients[place].answer = []
        clients[place].models[turn] = response
        answered(place)
        return true
    }
}
