// SPDX-License-Identifier: Apache-2.0

/// The same request again and again on some keep-alive connections, one thread, closed loop, no pipelining.
package final class RequestLoop {
    /// What one run did.
    package struct Run: Sendable {
        package let answers: Int
        /// From the first request to the last answer.
        package let elapsed: Duration
    }

    private struct Client: ~Copyable {
        let socket: Socket
        var answer: [UInt8] = []
    }

    private let request: Request
    private let poller: Poller
    private let clients: UnsafeMutableBufferPointer<Client>
    private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 * 1024, alignment: 16)
    /// The last answer that was read the long way.
    private var model: Response?

    package init(port: UInt16, request: Request, connections: Int) throws(LoadError) {
        self.request = request
        poller = try Poller()
        clients = .allocate(capacity: connections)
        var opened = 0
        do throws(LoadError) {
            for place in 0..<connections {
                (clients.baseAddress! + place).initialize(to: Client(socket: try Socket(port: port)))
                opened += 1
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
    /// - Throws: `.unexpected` for any status but 200, `.closed` when the server does not keep connections.
    package func run(for duration: Duration) throws(LoadError) -> Run {
        let start = ContinuousClock.now
        let end = start + duration
        var answers = 0
        var due = clients.count
        var isAsking = true
        for place in 0..<clients.count { try clients[place].socket.send(request) }
        while due > 0 {
            let before = answers
            try poller.wait(milliseconds: 5000) { place throws(LoadError) in
                guard try self.readAnswer(place) else { return }
                answers += 1
                if isAsking { try self.clients[place].socket.send(self.request) } else { due -= 1 }
            }
            let now = ContinuousClock.now
            if now >= end { isAsking = false }
            if answers == before, now >= end + .seconds(5) { throw .stalled(due, of: clients.count, seconds: 5) }
        }
        return Run(answers: answers, elapsed: ContinuousClock.now - start)
    }

    /// - Returns: Whether the answer is complete.
    @inline(__always)
    private func readAnswer(_ place: Int) throws(LoadError) -> Bool {
        guard let count = try clients[place].socket.receive(into: buffer) else { return false }
        let bytes = UnsafeRawBufferPointer(rebasing: buffer[..<count])
        if let model, clients[place].answer.isEmpty, model.repeats(in: bytes) { return true }

        clients[place].answer += bytes
        let parsed = clients[place].answer.withUnsafeBytes { bytes in
            Result { () throws(LoadError) in try Response(head: bytes) }
        }
        guard let response = try parsed.get() else { return false }
        guard response.status == 200 else {
            throw .unexpected(answer: String(decoding: clients[place].answer.prefix(400), as: UTF8.self))
        }
        guard !response.closes else { throw .closed(during: "after an answer") }
        guard clients[place].answer.count >= response.length else { return false }
        clients[place].answer = []
        model = response
        return true
    }
}
