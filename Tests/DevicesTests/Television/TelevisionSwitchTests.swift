// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import TestSupport
import Testing

@testable import Devices

@Suite struct TelevisionSwitchTests {
    private let start = Moment.start.instant

    private func after(_ seconds: Double) -> Instant { start + .seconds(seconds) }

    @Test func `a switch ends when the status agrees`() {
        var attempt = TelevisionSwitch(to: true, off: .standby)
        #expect(attempt.next(at: start) == .send(withKey: false))
        attempt.sent(at: start)
        #expect(attempt.next(at: start) == .wait(.seconds(1)))
        #expect(attempt.next(at: after(1)) == .ask)
        attempt.asked(.status(.standby), at: after(1))
        #expect(attempt.next(at: after(1)) == .wait(.seconds(1)))
        #expect(attempt.next(at: after(2)) == .ask)
        attempt.asked(.status(.turningOn), at: after(2))
        #expect(attempt.next(at: after(2)) == .done(isConfirmed: true))
    }

    @Test func `a command is sent three times, three seconds apart, the later ones with the key`() {
        var attempt = TelevisionSwitch(to: true, off: .standby)
        var sent: [Duration] = []
        var now = start
        loop: while true {
            switch attempt.next(at: now) {
            case .send(let withKey):
                #expect(withKey == !sent.isEmpty)
                sent.append(now - start)
                attempt.sent(at: now)
            case .ask: attempt.asked(.status(.standby), at: now)
            case .wait(let time): now = now + time
            case .done: Issue.record("a stubborn television counts as switched"); break loop
            case .failed(let failure):
                #expect(failure == .ignored)
                break loop
            }
        }
        #expect(sent == [.zero, .seconds(3), .seconds(6)])
        #expect(now == after(9))
    }

    @Test func `a television that never answers gets three commands and counts as switched`() {
        var attempt = TelevisionSwitch(to: false, off: .standby)
        for second in [0.0, 3, 6] {
            #expect(attempt.next(at: after(second)) == .send(withKey: second > 0))
            attempt.sent(at: after(second))
            #expect(attempt.next(at: after(second + 1)) == .ask)
            attempt.asked(.none, at: after(second + 2))
            if second < 6 { #expect(attempt.next(at: after(second + 2)) == .wait(.seconds(1))) }
        }
        #expect(attempt.next(at: after(8)) == .done(isConfirmed: false))
    }

    @Test(arguments: [SwitchFailure.busy, .unacknowledged])
    func `a command that cannot be sent is retried and then fails`(failure: SwitchFailure) {
        var attempt = TelevisionSwitch(to: true, off: .standby)
        for second in [0.0, 3, 6] {
            #expect(attempt.next(at: after(second)) == .send(withKey: second > 0))
            attempt.sent(failure, at: after(second))
        }
        #expect(attempt.next(at: after(6)) == .failed(failure))
    }

    @Test func `a television that is left to itself is not asked`() {
        var attempt = TelevisionSwitch(to: false, off: .inactiveSource)
        attempt.sent(at: start)
        #expect(attempt.next(at: start) == .done(isConfirmed: false))
    }

    @Test func `at a stop a command is sent twice at most`() {
        var attempt = TelevisionSwitch(to: true, off: .standby)
        attempt.limitTries()
        for second in [0.0, 3] {
            #expect(attempt.next(at: after(second)) == .send(withKey: second > 0))
            attempt.sent(at: after(second))
            attempt.asked(.status(.standby), at: after(second + 1))
        }
        #expect(attempt.next(at: after(6)) == .failed(.ignored))
    }
}
