// SPDX-License-Identifier: Apache-2.0
import Support
import Synchronization

@testable import BrightnessCore
@testable import Devices
@testable import TestSupport

/// A random story of one seed: clients, a person with a remote control, kill -9, and a television that is deaf, late,
/// silent, stubborn, lying, without power, unplugged, or held by another program, and may drop its hot-plug pin in
/// standby. In the end it is honest.
struct TelevisionStory {
    private static let id = DisplayID("cec0")!

    private let clock = ManualClock()
    private let device: ScriptedTelevision
    private let journal = MemoryJournal()
    private var television: CECTelevision
    private var service: DisplayService
    private var random: SplitMix
    /// The events, for a failure.
    private(set) var lines: [String] = []

    init(seed: UInt64) throws {
        let device = ScriptedTelevision(clock)
        self.device = device
        journal.isKilled = { device.state.withLock(\.isKilled) }
        (television, service) = try Self.daemon(device, clock, journal)
        random = SplitMix(seed: seed, step: -12)
        let dropsPin = random.number(0...1) == 1
        device.state.withLock { $0.dropsPin = dropsPin }
    }

    /// Starts a daemon.
    private static func daemon(
        _ device: ScriptedTelevision,
        _ clock: ManualClock,
        _ journal: MemoryJournal
    ) throws -> (CECTelevision, DisplayService) {
        let hub = NotificationHub()
        let television = try CECTelevision(
            id,
            name: "Television",
            on: device,
            path: "/dev/cec0",
            off: .standby,
            source: hub.source,
            stop: Latch(),
            now: { clock.now },
            pause: { clock.advance(by: $0) }
        )
        television.askIfDue()
        let service = try DisplayService(
            [.init(television, on: ImmediateQueue())],
            .init(journal: journal, earlier: journal.recovered, now: { clock.moment }),
            poster: hub.poster,
            at: clock.moment
        )
        return (television, service)
    }

    /// - Returns: The rule that was broken; `nil` if none was.
    mutating func play() throws -> String? {
        for _ in 0..<random.number(5...40) {
            try step()
            if let violation { return violation }
        }
        return try end()
    }

    private mutating func step() throws {
        switch random.number(0...13) {
        case 0, 1: perform(.setPower(random.number(0...1) == 1))
        case 2: perform(.grant(LeaseRequest(.sleep, ttl: .seconds(random.number(1...60)))))
        case 3: perform(.grant(LeaseRequest(.wake, ttl: .seconds(random.number(1...60)))))
        case 4: perform(.restoreAll())
        case 5:
            let (turnsOn, isAnnounced) = (random.number(0...1) == 1, random.number(0...1) == 1)
            note("a person turns it \(turnsOn ? "on" : "off")\(isAnnounced ? "" : " in silence")")
            device.press(turnsOn: turnsOn, isAnnounced: isAnnounced)
        case 6:
            let isPlugged = random.number(0...2) > 0
            note(isPlugged ? "plugged in" : "unplugged")
            device.plug(isPlugged)
        case 7, 8: misbehave()
        case 9: try restart()
        case 10: kill(after: random.number(0...40))
        default: wait(seconds: random.number(1...40))
        }
        if device.state.withLock(\.isKilled) { try restart() }
    }

    /// Kills the daemon after its next messages, in the middle of its work.
    private mutating func kill(after messages: Int) {
        note("it will be killed after \(messages) messages")
        device.state.withLock { $0.messagesToKill = messages }
    }

    private mutating func restart() throws {
        note("killed, and started again")
        service.withdraw(own: Self.id)
        // A run knows nothing of the last one's switches.
        device.state.withLock { ($0.messagesToKill, $0.sent, $0.times) = (nil, [], []) }
        clock.advance(by: .seconds(random.number(0...20)))
        (television, service) = try Self.daemon(device, clock, journal)
    }

    private mutating func misbehave() {
        let faults: [ScriptedTelevision.Fault] = [
            [], .deaf, .rejecting, .silent, .stubborn, .busy, .powerless, .lying,
        ]
        let (fault, ignored) = (random.one(of: faults), random.number(0...2))
        let lag = Duration.milliseconds(random.number(0...2_900))
        note("faults \(fault.rawValue), ignores \(ignored), late by \(lag)")
        device.state.withLock { ($0.faults, $0.ignored, $0.lag) = (fault, ignored, lag) }
    }

    private mutating func perform(_ action: Command.Action) {
        note("\(action)")
        service.submit(Command(action), to: Self.id, at: clock.moment) { _ in }
    }

    private mutating func wait(seconds: Int) {
        note("\(seconds) s pass")
        for _ in 0..<seconds {
            clock.advance(by: .seconds(1))
            _ = television.turn()
            for action in [Command.Action.refresh(as: .external), .tick] {
                service.submit(Command(action), to: Self.id, at: clock.moment) { _ in }
            }
        }
    }

    private mutating func note(_ line: String) { lines.append("\(clock.now.sinceBoot): \(line)") }

    // MARK: Rules

    private var violation: String? {
        let state = device.state.withLock { $0 }
        if state.isSentUnplugged { return "a message that does not wake was sent while it was unplugged" }
        var begin: (isOn: Bool, at: Instant)?
        for (message, time) in zip(state.sent, state.times) {
            guard message.opcode == .standby || message.opcode == .imageViewOn else { continue }
            let isOn = message.opcode == .imageViewOn
            if begin?.isOn == isOn { continue }
            if let begin, time - begin.at < .seconds(10) {
                return "two switches within \(time - begin.at)"
            }
            begin = (isOn, time)
        }
        return nil
    }

    /// The television is honest from now on. Whatever happened, it obeys, and is shown as it is.
    private mutating func end() throws -> String? {
        note("it is honest")
        device.state.withLock { ($0.faults, $0.ignored, $0.lag, $0.messagesToKill) = ([], 0, .zero, nil) }
        device.plug(true)
        wait(seconds: 130)
        if let difference { return "after two minutes \(difference)" }
        perform(.restoreAll())
        for isOn in [false, true] {
            perform(.setPower(isOn))
            wait(seconds: 30)
            if device.state.withLock(\.isOn) != isOn { return "it is not \(isOn ? "on" : "off")" }
            if let difference { return difference }
        }
        if let violation = standByLate() { return violation }
        for _ in 0..<4 where violation == nil {
            try dieDuringCommand()
            if let difference = difference ?? disobedience { return "after a kill -9 \(difference)" }
        }
        return violation
    }

    /// A person switches it off, which counts although its status lags.
    private mutating func standByLate() -> String? {
        device.state.withLock { $0.lag = .milliseconds(random.number(0...2_900)) }
        note("a person turns it off")
        device.press(turnsOn: false)
        for _ in 0..<6 {
            wait(seconds: 1)
            if let difference { return difference }
        }
        perform(.setPower(true))
        wait(seconds: 30)
        return difference
    }

    /// Kills the daemon at some message of a command.
    private mutating func dieDuringCommand() throws {
        let hour = Duration.seconds(3_600)
        let actions: [Command.Action] = [
            .setPower(true), .setPower(false), .restoreAll(), .grant(LeaseRequest(.sleep, ttl: hour)),
            .grant(LeaseRequest(.wake, ttl: hour)),
        ]
        kill(after: random.number(0...6))
        perform(random.one(of: actions))
        try restart()
        wait(seconds: 70)
    }

    /// The difference of the television to what people want by the published state.
    private var disobedience: String? {
        guard let state = service.state(of: Self.id) else { return "there is no display" }
        func isHeld(_ kind: LeaseKind) -> Bool { state.leases(of: kind).map { !$0.isOverridden } ?? false }
        let isWanted = isHeld(.wake) || state.power.baseline && !isHeld(.sleep)
        return device.state.withLock(\.isOn) == isWanted ? nil : "it is not \(isWanted ? "on" : "off")"
    }

    private var difference: String? {
        guard let state = service.state(of: Self.id) else { return "there is no display" }
        let (isOn, isPlugged) = device.state.withLock { ($0.isOn, $0.isPlugged) }
        // One that a person has switched off in silence may be unplugged.
        if !state.isAvailable { return isPlugged ? "it is shown as unavailable" : nil }
        return state.power.isOn == isOn ? nil : "it is shown as \(String(describing: state.power.isOn)), and is \(isOn)"
    }
}
