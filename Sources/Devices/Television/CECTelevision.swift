// SPDX-License-Identifier: Apache-2.0
package import BrightnessCore
import Glibc
import Support
import Synchronization

/// A television over HDMI-CEC: it can be switched off and on, and has no brightness.
///
/// - A switch blocks for seconds, until the television's status agrees (`TelevisionSwitch`).
/// - A thread of its own receives messages and asks for the status (`TelevisionPower`), so a read costs nothing.
/// - A change by the remote control counts as a person's and is reported as `.external`. A Standby is never obeyed.
/// - A television may drop its hot-plug pin in standby, and then seems to be unplugged. If it was in standby before, it
///   counts as present, and is woken by the only message that the kernel sends to an unplugged one.
/// - SeeAlso: `docs/internals/displays.md`
package final class CECTelevision: Panel {
    /// After a failure, the time until the adapter is opened again.
    static let retryInterval: Duration = .seconds(5)

    package let id: DisplayID
    package let name: String
    package let kind = DisplayKind.tv
    package let range = BrightnessRange.fixed
    package let isDimmable = false
    package let isSwitchable = true
    package let wakesWhileGone = true
    package let isCheapToRead = true
    package let isVolatile = false
    /// It stays in standby after a power cut.
    package let keepsStepWithoutPower = true
    /// A television takes seconds to change.
    package let switchInterval: Duration = .seconds(10)
    package let changes: AsyncStream<Cause.Kind>

    private let bus: any CECBus
    private let path: String
    private let off: TelevisionOff
    private let stop: Latch
    private let now: @Sendable () -> Instant
    private let pause: @Sendable (Duration) -> Void
    private let power: Mutex<TelevisionPower>
    private let hints: AsyncStream<Cause.Kind>.Continuation
    private let thread: LoopThread
    private let source: NotificationSource
    private let watching: Mutex<SubscriptionGroup?>
    /// Whether the thread could receive the last time. Only the thread uses this.
    private let isReceiving = Atomic(true)

    /// - Parameters:
    ///   - path: The adapter's file, for errors.
    ///   - off: How it is switched off.
    ///   - source: Reports whether a client watches.
    ///   - stop: Opens at the stop, which shortens a switch.
    ///   - pause: Waits on the caller's thread.
    init(
        _ id: DisplayID,
        name: String,
        on bus: any CECBus,
        path: String,
        off: TelevisionOff,
        source: NotificationSource,
        stop: Latch,
        now: @escaping @Sendable () -> Instant,
        pause: (@Sendable (Duration) -> Void)? = nil
    ) throws(ThreadError) {
        (self.id, self.name, self.bus, self.path, self.off) = (id, name, bus, path, off)
        (self.source, self.stop, self.now) = (source, stop, now)
        self.pause = pause ?? { usleep(UInt32($0 / .microseconds(1))) }
        power = Mutex(TelevisionPower(at: now()))
        (changes, hints) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
        watching = Mutex(nil)
        thread = try LoopThread()
    }

    // MARK: Panel

    package var isPowerKnown: Bool { power.withLock { $0.isOn != nil } }

    package func read() throws(DeviceError) -> Int {
        let (isStandingBy, isReturning) = power.withLock { ($0.isStandingBy, $0.isReturning) }
        if !isStandingBy { try bus.check() }
        // Absent until it has reported its status, so that the display reads the return and the power together.
        if isReturning { throw .unplugged(path: path) }
        return range.maximum
    }

    package func write(_ step: Int) throws(DeviceError) {}

    package func readPower() -> Bool? { power.withLock(\.isOn) }

    package func writePower(_ isOn: Bool) throws(DeviceError) {
        power.withLock { $0.startSwitch() }
        do throws(DeviceError) {
            let isConfirmed = try switchPower(to: isOn)
            let isPlugged = (try? bus.check()) != nil
            power.withLock {
                $0.switched(
                    to: isOn,
                    isConfirmed: isConfirmed,
                    isLeftToItself: !isOn && off == .inactiveSource,
                    isPlugged: isPlugged,
                    at: now()
                )
            }
            thread.wake()
        } catch {
            power.withLock { $0.switchFailed(isUnplugged: error == .unplugged(path: path), at: now()) }
            thread.wake()
            throw error
        }
    }

    /// - Returns: Whether the television's status agrees.
    private func switchPower(to isOn: Bool) throws(DeviceError) -> Bool {
        var attempt = TelevisionSwitch(to: isOn, off: off)
        while true {
            if stop.isOpen { attempt.limitTries() }
            switch attempt.next(at: now()) {
            case .send(let withKey): try sendCommand(isOn, withKey: withKey, in: &attempt)
            case .ask: attempt.asked(try ask(after: isOn), at: now())
            // Short, so that a stop is noticed.
            case .wait(let time): pause(min(time, .milliseconds(100)))
            case .done(let isConfirmed): return isConfirmed
            case .failed(let failure): throw .unswitched(path: path, failure)
            }
        }
    }

    /// Sends the command, or wakes a television that seems to be unplugged.
    private func sendCommand(
        _ isOn: Bool,
        withKey: Bool,
        in attempt: inout TelevisionSwitch
    ) throws(DeviceError) {
        do throws(DeviceError) {
            attempt.sent(try sendMessages(isOn, withKey: withKey, from: try bus.addresses()), at: now())
        } catch .unplugged where isOn {
            let result = try bus.send(CECAddresses.wake, expecting: .nothing)
            if result == .unacknowledged { throw .unplugged(path: path) }
            attempt.sent(result.failure, isWake: true, at: now())
        }
    }

    /// - Returns: Why a message was not sent; `nil` if all were.
    private func sendMessages(
        _ isOn: Bool,
        withKey: Bool,
        from own: CECAddresses
    ) throws(DeviceError) -> SwitchFailure? {
        guard isOn else {
            let message = off == .standby ? own.standby : own.inactiveSource
            return try bus.send(message, expecting: .nothing).failure
        }
        // A television may reject it although it obeys, or ignore it and obey the key.
        let result = try bus.send(own.imageViewOn, expecting: .rejection)
        if let failure = result.failure { return failure }
        if withKey || result == .rejected {
            if let failure = try bus.send(own.powerOnKey, expecting: .nothing).failure { return failure }
            _ = try bus.send(own.keyReleased, expecting: .nothing)
        }
        return try bus.send(own.activeSource, expecting: .nothing).failure
    }

    /// Asks the television for its status after a command. If it drops its hot-plug pin then, it is in standby.
    private func ask(after isOn: Bool) throws(DeviceError) -> TelevisionSwitch.Reply {
        do throws(DeviceError) {
            return try ask()
        } catch .unplugged {
            return isOn ? .none : .status(.standby)
        }
    }

    private func ask() throws(DeviceError) -> TelevisionSwitch.Reply {
        let own = try bus.addresses()
        let result = try bus.send(own.givePowerStatus, expecting: .opcode(.reportPowerStatus))
        if let failure = result.failure { return .failed(failure) }
        guard case .reply(let message) = result, let status = CECPowerStatus(of: message) else { return .none }
        return .status(status)
    }

    // MARK: The thread

    /// Starts the thread, which asks more often while a client watches. Call it once.
    func start() throws(ThreadError) {
        let audience = Subscription(to: NotificationFilter([.audience])) { [weak self] notification in
            if case .audience(let isPresent) = notification { self?.watch(isPresent) }
        }
        watching.withLock { $0 = SubscriptionGroup(source, audience) }
        try thread.start(named: id.text) { [weak self] in
            while self?.turn() == true {}
        }
    }

    deinit {
        watching.withLock { $0?.end() }
        thread.stop()
    }

    private func watch(_ isWatched: Bool) {
        power.withLock { $0.watch(isWatched, at: now()) }
        thread.wake()
    }

    /// Receives what has come, or waits for it or for the next question, and asks that. May block for a minute.
    ///
    /// - Returns: Whether to go on.
    func turn() -> Bool {
        let next = power.withLock(\.nextQuestion)
        let wait = next.map { max($0 - now(), .zero) } ?? TelevisionPower.interval
        do throws(DeviceError) {
            for event in try bus.receive(atMost: wait, wake: thread.wakeDescriptor.descriptor) { handle(event) }
            thread.wakeDescriptor.silence()
            askIfDue()
            isReceiving.store(true, ordering: .relaxed)
        } catch {
            let isPlugged = (try? bus.check()) != nil
            let isAbsent = if case .absent = error { true } else { false }
            power.withLock { $0.changed(isPlugged: isPlugged, hasAdapter: !isAbsent, at: now()) }
            if isReceiving.exchange(false, ordering: .relaxed) { hints.yield(.lost) }
            thread.wakeDescriptor.wait(atMost: Int32(Self.retryInterval / .milliseconds(1)))
        }
        return !thread.isStopping
    }

    private func handle(_ event: CECEvent) {
        switch event {
        case .changed:
            let isPlugged = (try? bus.check()) != nil
            power.withLock { $0.changed(isPlugged: isPlugged, at: now()) }
            hints.yield(isPlugged ? .external : .lost)
        case .message(let message):
            update { $0.received(message, at: now()) }
            if let own = try? bus.addresses(), let reply = message.reply(from: own) {
                _ = try? bus.send(reply, expecting: .nothing)
            }
        }
    }

    /// Asks for the status if that is due. A failure shows at the next switch.
    func askIfDue() {
        let isDue = power.withLock { power in
            guard let next = power.nextQuestion, next <= now() else { return false }
            power.ask(at: now())
            return true
        }
        guard isDue else { return }
        let reply = (try? ask()) ?? .failed(.unacknowledged)
        let isPlugged = (try? bus.check()) != nil
        update { power in
            if case .status(let status) = reply { return power.answered(status, at: now()) }
            power.didNotAnswer(isPlugged: isPlugged)
        }
    }

    /// Changes what is known, and reports it if the power differs, or if the television is back.
    private func update(_ change: (inout TelevisionPower) -> Void) {
        let isChanged = power.withLock { power in
            let before = (power.isOn, power.isReturning)
            change(&power)
            return before != (power.isOn, power.isReturning)
        }
        if isChanged { hints.yield(.external) }
    }
}

extension CECResult {
    fileprivate var failure: SwitchFailure? {
        switch self {
        case .sent, .reply, .rejected: nil
        case .unacknowledged: .unacknowledged
        case .busy: .busy
        }
    }
}
