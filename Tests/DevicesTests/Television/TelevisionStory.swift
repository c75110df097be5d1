// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import Support
import Synchronization
import TestSupport

@testable import Devices

/// A random story of one seed: clients, a person with a remote control, and a television that is deaf, late, silent,
/// stubborn, without power, unplugged, or held by another program. In the end it is honest.
struct TelevisionStory {
    private let id = DisplayID("cec0")!
    private let clock = ManualClock()
    private let device: ScriptedTelevision
    private let television: CECTelevision
    private let service: DisplayService
    private var random: SplitMix
    /// The events, for a failure.
    private(set) var lines: [String] = []

    init(seed: UInt64) throws {
        let (clock, hub) = (clock, NotificationHub())
        device = ScriptedTelevision(clock)
        television = try CECTelevision(
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
        service = try DisplayService(
            [.init(television, on: ImmediateQueue())],
            .init(now: { clock.moment }),
            poster: hub.poster,
            at: clock.moment
        )
        random = SplitMix(seed: seed)
    }

    /// - Returns: The rule that was broken; `nil` if none was.
    mutating func play() -> String? {
        for _ in 0..<random.number(5...40) {
            step()
            if let violation { return violation }
        }
        return end()
    }

    private mutating func step() {
        switch random.number(0...11) {
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
        default: wait(seconds: random.number(1...40))
        }
    }

    private mutating func misbehave() {
        let faults: [ScriptedTelevision.Fault] = [[], .deaf, .rejecting, .silent, .stubborn, .busy, .powerless]
        let (fault, ignored) = (faults[random.number(0...6)], random.number(0...2))
        let lag = Duration.milliseconds(random.number(0...2_900))
        note("faults \(fault.rawValue), ignores \(ignored), late by \(lag)")
        device.state.withLock { ($0.faults, $0.ignored, $0.lag) = (fault, ignored, lag) }
    }

    private mutating func perform(_ action: Command.Action) {
        note("\(action)")
        service.submit(Command(action), to: id, at: clock.moment) { _ in }
    }

    private mutating func wait(seconds: Int) {
        note("\(seconds) s pass")
        for _ in 0..<seconds {
            clock.advance(by: .seconds(1))
            _ = television.turn()
            for action in [Command.Action.refresh(as: .external), .tick] {
                service.submit(Command(action), to: id, at: clock.moment) { _ in }
            }
        }
    }

    private mutating func note(_ line: String) { lines.append("\(clock.now.sinceBoot): \(line)") }

    // MARK: Rules

    private var violation: String? {
        let state = device.state.withLock { $0 }
        if state.isSentUnplugged { return "a message was sent while it was unplugged" }
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
    private mutating func end() -> String? {
        note("it is honest")
        device.state.withLock { ($0.faults, $0.ignored, $0.lag) = ([], 0, .zero) }
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
        return violation
    }

    private var difference: String? {
        guard let state = service.state(of: id) else { return "there is no display" }
        let isOn = device.state.withLock(\.isOn)
        if !state.isAvailable { return "it is shown as unavailable" }
        return state.power.isOn == isOn ? nil : "it is shown as \(String(describing: state.power.isOn)), and is \(isOn)"
    }
}
