// SPDX-License-Identifier: Apache-2.0

import Load

/// Makes a peer's changes in turn, on a connection that is older than all streams.
struct Changer: ~Copyable {
    private let peer: any EventPeer
    private var control: ControlConnection
    private var number = 0
    private var unanswered = 0

    /// Makes one change at once, so that every stream begins with an event.
    init(_ peer: any EventPeer, port: UInt16) throws {
        var control = try ControlConnection(port: port)
        _ = try control.exchange(peer.change(to: Change.step(number: 0)))
        self.peer = peer
        self.control = control
    }

    private mutating func next() -> Int {
        number += 1
        return Change.step(number: number)
    }

    /// Makes a change and waits until it has arrived everywhere.
    ///
    /// - Returns: How long it took to reach the last stream.
    @discardableResult
    mutating func change(_ crowd: StreamCrowd) throws -> Duration {
        let step = next()
        crowd.expectChange()
        let start = ContinuousClock.now
        try control.send(peer.change(to: step))
        do {
            try crowd.awaitEvent(showing: Change.mark(step))
        } catch {
            _ = try control.receive()  // a refusal explains more than its consequence
            throw error
        }
        let time = ContinuousClock.now - start
        _ = try control.receive()
        return time
    }

    /// Makes changes as fast as they are answered.
    mutating func changeBlindly(_ count: Int) throws {
        for _ in 0..<count { _ = try control.exchange(peer.change(to: next())) }
    }

    /// Open loop: makes a change at every moment that is due, whatever has become of those before, and takes the time
    /// of every event from the moment its change was due. So a server that falls behind cannot hide it.
    ///
    /// - Returns: How many of the events did not come: conflated ones, and what was not there two seconds after the
    ///   end.
    mutating func changeSteadily(_ crowd: StreamCrowd, perSecond rate: Double, seconds: Double) throws -> Int {
        let count = Int(rate * seconds)
        crowd.follow()
        let start = ContinuousClock.now
        for place in 0..<count {
            let due = start + .seconds(Double(place) / rate)
            while true {
                let left = due - ContinuousClock.now
                if left <= .zero { break }
                try crowd.readSome(milliseconds: Int32(min(left / .milliseconds(1), 1_000)))
            }
            let step = next()
            crowd.expect(step, dueAt: due)
            try control.send(peer.change(to: step))
            unanswered += 1
            unanswered -= try control.receiveWhatIsThere()
        }
        let all = count * crowd.count
        let end = ContinuousClock.now + .seconds(2)
        while crowd.latencies.count < all, ContinuousClock.now < end { try crowd.readSome(milliseconds: 100) }
        while unanswered > 0 {
            _ = try control.receive()
            unanswered -= 1
        }
        return all - crowd.latencies.count
    }
}
