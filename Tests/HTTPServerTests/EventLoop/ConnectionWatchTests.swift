// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import HTTPServer

@Suite struct ConnectionWatchTests {
    let limits = ConnectionLimits()

    /// The findings at these seconds.
    private func findings(_ watch: inout ConnectionWatch, at seconds: ClosedRange<UInt32>) -> [ConnectionWatch.Finding]
    {
        seconds.map { watch.look(at: $0, limits) }
    }

    @Test func `a newcomer that says nothing ends after ten seconds, without a word`() {
        var watch = ConnectionWatch(3, at: 100)
        #expect(watch.look(at: 100, limits) == .underWay)
        #expect(watch.look(at: 101, limits) == .listen)
        watch.listen()
        #expect(findings(&watch, at: 102...109).allSatisfy { $0 == .underWay })
        #expect(watch.look(at: 110, limits) == .end(isTold: false))
    }

    @Test func `a newcomer's first byte does not renew its time, and it is told`() {
        var watch = ConnectionWatch(3, at: 100)
        watch.listen()
        watch.hear(at: 108)
        #expect(watch.look(at: 109, limits) == .underWay)
        #expect(watch.look(at: 110, limits) == .end(isTold: true))
    }

    @Test func `a newcomer is listened for before its end, however late one looks`() {
        var watch = ConnectionWatch(3, at: 100)
        #expect(watch.look(at: 120, limits) == .listen)
        watch.listen()
        watch.hear(at: 121)
        #expect(watch.look(at: 121, limits) == .end(isTold: true))
    }

    @Test func `between requests it may be silent, and the next head has ten seconds from its first byte`() {
        var watch = ConnectionWatch(3, at: 100)
        watch.enter(.answer)
        watch.enter(.idle)
        #expect(watch.look(at: 101, limits) == .underWay)
        #expect(watch.look(at: 102, limits) == .listen)
        watch.listen()
        #expect(watch.look(at: 5_000, limits) == .atRest)
        watch.hear(at: 5_001)
        #expect(findings(&watch, at: 5_001...5_010).allSatisfy { $0 == .underWay })
        #expect(watch.look(at: 5_011, limits) == .end(isTold: true))
    }

    @Test func `it is listened for anew after each request`() {
        var watch = ConnectionWatch(3, at: 0)
        for second in stride(from: UInt32(10), to: 100, by: 10) {
            watch.enter(.answer)
            watch.enter(.idle)
            #expect(watch.look(at: second, limits) == .underWay)
            #expect(watch.look(at: second + 1, limits) == .listen)
            watch.listen()
            watch.hear(at: second + 2)
        }
    }

    @Test func `a busy connection is never overdue nor listened for`() {
        var watch = ConnectionWatch(3, at: 0)
        for second in UInt32(1)...300 {
            watch.enter(.answer)
            watch.enter(.idle)
            #expect(watch.look(at: second, limits) == .underWay)
        }
    }

    @Test(arguments: [(ConnectionWatch.Stage.body, true), (.answer, false)])
    func `bodies and answers have half a minute`(stage: ConnectionWatch.Stage, isTold: Bool) {
        var watch = ConnectionWatch(3, at: 0)
        watch.enter(stage)
        #expect(findings(&watch, at: 1...30).allSatisfy { $0 == .underWay })
        #expect(watch.look(at: 31, limits) == .end(isTold: isTold))
    }

    @Test(arguments: [(ConnectionWatch.Stage.waiting, ConnectionWatch.Finding.underWay), (.left, .atRest)])
    func `what is not the client's doing has no end`(stage: ConnectionWatch.Stage, finding: ConnectionWatch.Finding) {
        var watch = ConnectionWatch(3, at: 0)
        watch.enter(stage)
        #expect(watch.look(at: 1, limits) == finding)
        #expect(watch.look(at: 100_000, limits) == finding)
    }

    @Test func `a stage's time begins anew, also when it is the same one again`() {
        var watch = ConnectionWatch(3, at: 0)
        watch.enter(.body)
        #expect(findings(&watch, at: 1...20).allSatisfy { $0 == .underWay })
        watch.enter(.idle)
        watch.enter(.body)
        #expect(findings(&watch, at: 21...50).allSatisfy { $0 == .underWay })
        #expect(watch.look(at: 51, limits) == .end(isTold: true))
    }

    @Test func `whoever has left does not come back with the end of the request`() {
        var watch = ConnectionWatch(3, at: 0)
        watch.enter(.answer)
        watch.enter(.left)
        watch.enter(.idle)
        #expect(findings(&watch, at: 1...3).allSatisfy { $0 == .atRest })
    }
}
