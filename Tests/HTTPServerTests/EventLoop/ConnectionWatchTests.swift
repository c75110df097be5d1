// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import HTTPServer

@Suite struct ConnectionWatchTests {
    let limits = ConnectionLimits()

    /// The actions at these seconds.
    private func findings(_ watch: inout ConnectionWatch, at seconds: ClosedRange<UInt32>) -> [ConnectionWatch.Action] {
        seconds.map { watch.check(at: $0, limits) }
    }

    @Test func `a new connection without input is closed after 10 s without a response`() {
        var watch = ConnectionWatch(3, at: 100)
        #expect(watch.check(at: 100, limits) == .underWay)
        #expect(watch.check(at: 101, limits) == .arm)
        watch.arm()
        #expect(findings(&watch, at: 102...109).allSatisfy { $0 == .underWay })
        #expect(watch.check(at: 110, limits) == .end(sendsResponse: false))
    }

    @Test func `the first byte of a new connection does not extend its time, and it is closed with a response`() {
        var watch = ConnectionWatch(3, at: 100)
        watch.arm()
        watch.receiveByte(at: 108)
        #expect(watch.check(at: 109, limits) == .underWay)
        #expect(watch.check(at: 110, limits) == .end(sendsResponse: true))
    }

    @Test func `a new connection is armed before it is closed, even if the first check is late`() {
        var watch = ConnectionWatch(3, at: 100)
        #expect(watch.check(at: 120, limits) == .arm)
        watch.arm()
        watch.receiveByte(at: 121)
        #expect(watch.check(at: 121, limits) == .end(sendsResponse: true))
    }

    @Test func `an idle connection may stay silent, and its next head has 10 s from the first byte`() {
        var watch = ConnectionWatch(3, at: 100)
        watch.enter(.response)
        watch.enter(.idle)
        #expect(watch.check(at: 101, limits) == .underWay)
        #expect(watch.check(at: 102, limits) == .arm)
        watch.arm()
        #expect(watch.check(at: 5_000, limits) == .atRest)
        watch.receiveByte(at: 5_001)
        #expect(findings(&watch, at: 5_001...5_010).allSatisfy { $0 == .underWay })
        #expect(watch.check(at: 5_011, limits) == .end(sendsResponse: true))
    }

    @Test func `a connection is armed again after each request`() {
        var watch = ConnectionWatch(3, at: 0)
        for second in stride(from: UInt32(10), to: 100, by: 10) {
            watch.enter(.response)
            watch.enter(.idle)
            #expect(watch.check(at: second, limits) == .underWay)
            #expect(watch.check(at: second + 1, limits) == .arm)
            watch.arm()
            watch.receiveByte(at: second + 2)
        }
    }

    @Test func `a busy connection is never overdue and never armed`() {
        var watch = ConnectionWatch(3, at: 0)
        for second in UInt32(1)...300 {
            watch.enter(.response)
            watch.enter(.idle)
            #expect(watch.check(at: second, limits) == .underWay)
        }
    }

    @Test(arguments: [(ConnectionWatch.Stage.body, true), (.response, false)])
    func `bodies and responses have 30 s`(stage: ConnectionWatch.Stage, sendsResponse: Bool) {
        var watch = ConnectionWatch(3, at: 0)
        watch.enter(stage)
        #expect(findings(&watch, at: 1...30).allSatisfy { $0 == .underWay })
        #expect(watch.check(at: 31, limits) == .end(sendsResponse: sendsResponse))
    }

    @Test(arguments: [(ConnectionWatch.Stage.waiting, ConnectionWatch.Action.underWay), (.left, .atRest)])
    func `a stage that does not depend on the client has no time limit`(
        stage: ConnectionWatch.Stage,
        action: ConnectionWatch.Action
    ) {
        var watch = ConnectionWatch(3, at: 0)
        watch.enter(stage)
        #expect(watch.check(at: 1, limits) == action)
        #expect(watch.check(at: 100_000, limits) == action)
    }

    @Test func `the time restarts with each stage, also if the same stage is entered again`() {
        var watch = ConnectionWatch(3, at: 0)
        watch.enter(.body)
        #expect(findings(&watch, at: 1...20).allSatisfy { $0 == .underWay })
        watch.enter(.idle)
        watch.enter(.body)
        #expect(findings(&watch, at: 21...50).allSatisfy { $0 == .underWay })
        #expect(watch.check(at: 51, limits) == .end(sendsResponse: true))
    }

    @Test func `a connection that has left stays so at the end of its request`() {
        var watch = ConnectionWatch(3, at: 0)
        watch.enter(.response)
        watch.enter(.left)
        watch.enter(.idle)
        #expect(findings(&watch, at: 1...3).allSatisfy { $0 == .atRest })
    }
}
