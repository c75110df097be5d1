// SPDX-License-Identifier: Apache-2.0
import Support
import Testing

@Suite struct CountdownTests {
    @Test func `a countdown ends after its limit when the clock is read often`() {
        var countdown = Countdown(.milliseconds(250))
        #expect(countdown.wait == .milliseconds(100))
        countdown.spend(.milliseconds(100))
        countdown.spend(.milliseconds(100))
        #expect(countdown.wait == .milliseconds(50))
        #expect(!countdown.isOver)
        countdown.spend(.milliseconds(50))
        #expect(countdown.isOver)
    }

    @Test func `a pause of an hour costs one step`() {
        var countdown = Countdown(.seconds(2))
        countdown.spend(.seconds(3_600))
        #expect(countdown.left == .seconds(2) - Countdown.step)
    }

    @Test func `a clock that goes back does not extend the limit`() {
        var countdown = Countdown(.seconds(2))
        countdown.spend(.seconds(-5))
        #expect(countdown.left == .seconds(2))
    }
}

@Suite struct LatchTests {
    @Test func `a latch opens at its last release`() {
        let latch = Latch(count: 2)
        var limit = Countdown(.milliseconds(1))
        latch.release()
        #expect(!latch.wait(within: &limit))
        latch.release()
        // Also without remaining time.
        #expect(latch.wait(within: &limit))
    }

    @Test func `a release on another thread ends the wait`() throws {
        let latch = Latch()
        try Thread.start(named: "releases") { latch.release() }
        latch.wait()
    }

    @Test func `a callback runs at once if the latch is open, else at the last release`() async {
        let latch = Latch()
        let (calls, call) = AsyncStream.makeStream(of: Int.self)
        latch.whenOpen { call.yield(2) }
        call.yield(1)
        latch.release()
        latch.whenOpen { call.yield(3) }
        call.finish()
        var seen: [Int] = []
        for await number in calls { seen.append(number) }
        #expect(seen == [1, 2, 3])
    }
}
