// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import TestSupport
import Testing

@testable import Devices

@Suite struct TelevisionPowerTests {
    private let start = Moment.start.instant

    private func after(_ seconds: Double) -> Instant { start + .seconds(seconds) }

    private func message(_ opcode: CECOpcode, _ operands: [UInt8] = [], from initiator: UInt8 = 0) -> CECMessage {
        CECMessage(opcode, operands, from: initiator, to: 15)
    }

    @Test func `a television is asked at once, then every minute`() {
        var power = TelevisionPower(at: start)
        #expect(power.nextQuestion == start)
        power.ask(at: start)
        power.answered(.standby, at: start)
        #expect(power.isOn == false)
        #expect(power.nextQuestion == after(60))
    }

    @Test func `a client that watches gets the status soon, and every ten seconds`() {
        var power = TelevisionPower(at: start)
        power.ask(at: start)
        power.watch(true, at: after(30))
        #expect(power.nextQuestion == after(31))
        power.ask(at: after(31))
        #expect(power.nextQuestion == after(41))
    }

    @Test func `a status that lags after a switch is not believed`() {
        var power = TelevisionPower(at: start)
        power.startSwitch()
        power.switched(to: false, isConfirmed: true, at: start)
        power.ask(at: after(1))
        power.answered(.on, at: after(1))
        #expect(power.isOn == false)
        #expect(power.nextQuestion == after(5))
        power.answered(.on, at: after(5))
        #expect(power.isOn == true)
    }

    @Test func `its standby counts at once, and its lagging status after that does not`() {
        var power = TelevisionPower(at: start)
        power.answered(.on, at: start)
        power.received(message(.standby), at: after(20))
        #expect(power.isOn == false)
        power.answered(.on, at: after(22))
        #expect(power.isOn == false)
    }

    @Test func `a standby of another device is only a reason to ask`() {
        var power = TelevisionPower(at: start)
        power.ask(at: start)
        power.answered(.on, at: start)
        power.received(message(.standby, from: 8), at: after(20))
        #expect(power.isOn == true)
        #expect(power.nextQuestion == after(21))
    }

    @Test func `it is asked every two seconds at most, whatever is received`() {
        var power = TelevisionPower(at: start)
        power.ask(at: after(10))
        for tenth in 0..<10 { power.received(message(.activeSource), at: after(10 + Double(tenth) / 10)) }
        #expect(power.nextQuestion == after(12))
    }

    @Test func `its own report counts, and that of another device does not`() {
        var power = TelevisionPower(at: start)
        power.received(message(.reportPowerStatus, [1], from: 5), at: start)
        #expect(power.isOn == nil)
        power.received(message(.reportPowerStatus, [1]), at: start)
        #expect(power.isOn == false)
    }

    @Test func `a television that never answers is neither on nor off after a switch`() {
        var power = TelevisionPower(at: start)
        power.switched(to: true, isConfirmed: false, at: start)
        #expect(power.isOn == nil)
    }

    @Test func `a television that stops answering is not known any more after three questions`() {
        var power = TelevisionPower(at: start)
        power.ask(at: start)
        power.answered(.on, at: start)
        for _ in 0..<2 { power.didNotAnswer() }
        #expect(power.isOn == true)
        power.didNotAnswer()
        #expect(power.isOn == nil)
    }

    @Test func `a television that was left to itself is known once it was in standby`() {
        var power = TelevisionPower(at: start)
        power.switched(to: false, isConfirmed: false, isLeftToItself: true, at: start)
        power.answered(.on, at: after(60))
        #expect(power.isOn == nil)
        power.answered(.standby, at: after(120))
        #expect(power.isOn == false)
        power.answered(.on, at: after(180))
        #expect(power.isOn == true)
    }

    @Test func `nothing is known of an unplugged television, which is asked soon after it was plugged in`() {
        var power = TelevisionPower(at: start)
        power.ask(at: start)
        power.answered(.on, at: start)
        power.changed(isPlugged: false, at: after(10))
        #expect(power.isOn == nil)
        power.didNotAnswer(isPlugged: false)
        power.changed(isPlugged: true, at: after(20))
        #expect(power.nextQuestion == after(21))
        #expect(power.isReturning)
        power.answered(.on, at: after(21))
        #expect((power.isReturning, power.isOn) == (false, true))
    }

    @Test func `a television in standby that drops its hot-plug pin stays connected, even before its first status`() {
        var power = TelevisionPower(at: start)
        power.changed(isPlugged: false, at: after(10))
        power.changed(isPlugged: true, at: after(100))
        power.received(message(.standby), at: after(101))
        power.changed(isPlugged: false, at: after(102))
        #expect((power.isStandingBy, power.isReturning, power.isOn) == (true, false, false))
        power.changed(isPlugged: false, at: after(200))
        #expect(power.isStandingBy)
        power.changed(isPlugged: false, hasAdapter: false, at: after(300))
        #expect((power.isStandingBy, power.isReturning, power.isOn) == (false, true, nil))
    }

    @Test func `a switch asks by itself`() {
        var power = TelevisionPower(at: start)
        power.startSwitch()
        power.received(message(.activeSource), at: start)
        #expect(power.nextQuestion == nil)
        power.switchFailed(at: after(9))
        #expect(power.nextQuestion == after(10))
    }
}
