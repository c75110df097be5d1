// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import Synchronization

@testable import Devices

/// A television on a CEC bus without hardware, with the faults of real ones. Any thread.
final class ScriptedTelevision: CECBus {
    struct Fault: OptionSet {
        let rawValue: Int
        /// Ignores Image View On, and obeys the key.
        static let deaf = Fault(rawValue: 1)
        /// Rejects Image View On although it obeys the key.
        static let rejecting = Fault(rawValue: 2)
        /// Never answers.
        static let silent = Fault(rawValue: 4)
        /// Ignores every command.
        static let stubborn = Fault(rawValue: 8)
        /// Another program holds the bus.
        static let busy = Fault(rawValue: 16)
        /// No device takes a message.
        static let powerless = Fault(rawValue: 32)
        /// Reports the opposite of what it is.
        static let lying = Fault(rawValue: 64)
    }

    struct State {
        var isOn = true
        var hasCable = true
        /// Whether it drops its hot-plug pin in standby.
        var dropsPin = false
        var isPlugged: Bool { hasCable && (isOn || !dropsPin) }
        var faults: Fault = []
        /// How long the status lags.
        var lag: Duration = .zero
        var changed: Instant?
        var sent: [CECMessage] = []
        /// When each message was sent.
        var times: [Instant] = []
        /// Whether a message other than the one that wakes was sent although it was unplugged.
        var isSentUnplugged = false
        var incoming: [CECEvent] = []
        /// The number of commands that it ignores first.
        var ignored = 0
        /// The number of messages until the daemon is killed; `nil` for never. Then none reaches the bus any more.
        var messagesToKill: Int?
        var isKilled: Bool { messagesToKill == 0 }
    }

    let state = Mutex(State())
    private let clock: ManualClock

    init(_ clock: ManualClock) { self.clock = clock }

    static let own = CECAddresses(physical: 0x1000, logical: 4)

    var sent: [CECOpcode] { state.withLock { $0.sent.map(\.opcode) } }

    /// The messages that the television has received, apart from questions.
    var commands: [CECOpcode] { sent.filter { $0 != .giveDevicePowerStatus } }

    func check() throws(DeviceError) {
        let (isPlugged, isKilled) = state.withLock { ($0.isPlugged, $0.isKilled) }
        if isKilled { throw .io(path: "/dev/cec0", errno: 5) }
        if !isPlugged { throw .unplugged(path: "/dev/cec0") }
    }

    func addresses() throws(DeviceError) -> CECAddresses {
        try check()
        return Self.own
    }

    func send(_ message: CECMessage, expecting reply: CECReply) throws(DeviceError) -> CECResult {
        if state.withLock(\.isKilled) { throw .io(path: "/dev/cec0", errno: 5) }
        return state.withLock { state in
            if let count = state.messagesToKill { state.messagesToKill = count - 1 }
            let isPlugged = state.isPlugged
            if !isPlugged, message != CECAddresses.wake { state.isSentUnplugged = true }
            if !state.hasCable { return .unacknowledged }
            defer { if state.isPlugged != isPlugged { state.incoming.append(.changed) } }
            if state.faults.contains(.busy) { return .busy }
            if state.faults.contains(.powerless), !message.isBroadcast { return .unacknowledged }
            state.sent.append(message)
            state.times.append(clock.now)
            switch message.opcode {
            case .giveDevicePowerStatus: return status(state, message)
            case .imageViewOn where state.faults.contains(.rejecting): return .rejected
            case .imageViewOn where state.faults.contains(.deaf): return .sent
            case .imageViewOn: turn(&state, to: true)
            case .standby: turn(&state, to: false)
            case .userControlPressed where message.operands == [0x6d]: turn(&state, to: true)
            default: break
            }
            return .sent
        }
    }

    private func status(_ state: State, _ question: CECMessage) -> CECResult {
        if state.faults.contains(.silent) { return .sent }
        let isLate = state.changed.map { clock.now < $0 + state.lag } ?? false
        let isTrue = isLate == state.faults.contains(.lying)
        let status: CECPowerStatus = state.isOn == isTrue ? .on : .standby
        return .reply(CECMessage(.reportPowerStatus, [status.rawValue], from: 0, to: question.initiator))
    }

    private func turn(_ state: inout State, to isOn: Bool) {
        if state.faults.contains(.stubborn) { return }
        if state.ignored > 0 {
            state.ignored -= 1
            return
        }
        if state.isOn != isOn { (state.isOn, state.changed) = (isOn, clock.now) }
    }

    func receive(atMost time: Duration, wake: Int32) throws(DeviceError) -> [CECEvent] {
        state.withLock { state in
            defer { state.incoming = [] }
            return state.incoming
        }
    }

    /// A person presses the power button of its remote control.
    func press(turnsOn: Bool, isAnnounced: Bool = true) {
        state.withLock { state in
            let isPlugged = state.isPlugged
            defer { if state.isPlugged != isPlugged { state.incoming.append(.changed) } }
            (state.isOn, state.changed) = (turnsOn, clock.now)
            guard isAnnounced else { return }
            let opcode: CECOpcode = turnsOn ? .activeSource : .standby
            state.incoming.append(.message(CECMessage(opcode, turnsOn ? [0, 0] : [], from: 0, to: 15)))
        }
    }

    func plug(_ isPlugged: Bool) {
        state.withLock { state in
            state.hasCable = isPlugged
            state.incoming.append(.changed)
        }
    }
}
