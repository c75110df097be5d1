// SPDX-License-Identifier: Apache-2.0
import Support
import Synchronization
import Testing

@testable import BrightnessCore
@testable import Devices
@testable import TestSupport

/// The panel over a scripted television, and the display service over the panel.
@Suite struct CECTelevisionTests {
    private let hub = NotificationHub()
    private let clock = ManualClock()
    private let device: ScriptedTelevision
    private let stop = Latch()

    init() { device = ScriptedTelevision(clock) }

    /// Waiting advances the clock.
    private func television(off: TelevisionOff = .standby) throws -> CECTelevision {
        let television = try CECTelevision(
            DisplayID("cec0")!,
            name: "Television",
            on: device,
            path: "/dev/cec0",
            off: off,
            source: hub.source,
            stop: stop,
            now: { [clock] in clock.now },
            pause: { [clock] in clock.advance(by: $0) }
        )
        television.askIfDue()
        return television
    }

    private func set(_ change: (inout ScriptedTelevision.State) -> Void) { device.state.withLock { change(&$0) } }

    private var elapsed: Duration { clock.now - Moment.start.instant }

    @Test func `a television can be switched and not dimmed`() throws {
        let television = try television()
        #expect((television.kind, television.isDimmable, television.isSwitchable) == (.tv, false, true))
        #expect(try television.read() == 1)
        #expect(television.readPower() == true)
        #expect(television.isPowerKnown)
    }

    @Test func `off is a standby, on is image view on and then active source`() throws {
        let television = try television()
        try television.writePower(false)
        #expect(device.commands == [.standby])
        #expect(television.readPower() == false)
        try television.writePower(true)
        #expect(device.commands == [.standby, .imageViewOn, .activeSource])
        #expect(television.readPower() == true)
        #expect(elapsed == .seconds(2))
    }

    @Test func `a television that rejects image view on gets the key as well, each time`() throws {
        set { $0.faults = .rejecting }
        let television = try television()
        for _ in 0..<2 {
            set { ($0.isOn, $0.sent) = (false, []) }
            try television.writePower(true)
            #expect(device.commands == [.imageViewOn, .userControlPressed, .userControlReleased, .activeSource])
        }
    }

    @Test func `a television that ignores image view on gets the key with the second try`() throws {
        set { ($0.faults, $0.isOn) = (.deaf, false) }
        let television = try television()
        try television.writePower(true)
        #expect(television.readPower() == true)
        #expect(device.commands.count { $0 == .imageViewOn } == 2)
        #expect(device.commands.contains(.userControlPressed))
    }

    @Test(arguments: [1, 2])
    func `a command that is ignored is repeated`(count: Int) throws {
        set { $0.ignored = count }
        let television = try television()
        try television.writePower(false)
        #expect(device.commands.count == count + 1)
        #expect(television.readPower() == false)
        #expect(elapsed == .seconds(3 * count + 1))
    }

    @Test func `a status that is two seconds late is waited for`() throws {
        set { $0.lag = .seconds(2) }
        let television = try television()
        try television.writePower(false)
        #expect(device.commands == [.standby])
        #expect(elapsed == .seconds(2))
    }

    @Test func `the power of a television that never answers is not known, and it is switched`() throws {
        set { $0.faults = .silent }
        let television = try television()
        #expect(!television.isPowerKnown)
        try television.writePower(false)
        #expect(!television.isPowerKnown)
        #expect(device.state.withLock(\.isOn) == false)
        #expect(device.commands == [.standby, .standby, .standby])
    }

    @Test(arguments: [
        (ScriptedTelevision.Fault.stubborn, SwitchFailure.ignored), (.busy, .busy), (.powerless, .unacknowledged),
    ])
    func `a switch that fails names the reason`(fault: ScriptedTelevision.Fault, failure: SwitchFailure) throws {
        let television = try television()
        set { $0.faults = fault }
        #expect(throws: DeviceError.unswitched(path: "/dev/cec0", failure)) { try television.writePower(false) }
    }

    @Test func `nothing but image view on is sent while it is unplugged`() throws {
        let television = try television()
        set { ($0.hasCable, $0.sent) = (false, []) }
        let unplugged = DeviceError.unplugged(path: "/dev/cec0")
        for isOn in [false, true] { #expect(throws: unplugged) { try television.writePower(isOn) } }
        #expect(throws: unplugged) { try television.read() }
        clock.advance(by: .seconds(100))
        _ = television.turn()
        #expect(device.sent == [])
        #expect(device.state.withLock(\.isSentUnplugged) == false)
    }

    @Test func `a stop shortens a switch`() throws {
        let television = try television()
        set { $0.faults = .stubborn }
        stop.release()
        #expect(throws: DeviceError.self) { try television.writePower(false) }
        #expect(elapsed == .seconds(6))
    }

    @Test func `a standby to this machine is not answered and not obeyed, and a question is answered`() throws {
        let television = try television()
        set { state in
            state.sent = []
            for opcode in [CECOpcode.standby, .giveDevicePowerStatus] {
                state.incoming.append(.message(CECMessage(opcode, from: 0, to: 4)))
            }
        }
        _ = television.turn()
        #expect(device.sent == [.reportPowerStatus])
    }

    // MARK: With the display service

    private final class Journal: DisplayJournal {
        let records = Mutex<[DisplayID: DisplayRecord]>([:])

        func keep(_ record: DisplayRecord, safeFrom danger: Danger, completion: @escaping @Sendable () -> Void) {
            keepSoon(record)
            completion()
        }

        func keepSoon(_ record: DisplayRecord) { records.withLock { $0[record.id] = record } }
    }

    private func service(_ television: CECTelevision, _ journal: Journal = Journal()) throws -> DisplayService {
        let earlier = journal.records.withLock { $0.mapValues { RecoveredRecord($0, isOfThisBoot: true) } }
        return try DisplayService(
            [.init(television, on: ImmediateQueue())],
            .init(journal: journal, earlier: earlier),
            poster: hub.poster,
            at: clock.moment
        )
    }

    private func perform(_ action: Command.Action, on service: DisplayService) {
        service.submit(Command(action), to: DisplayID("cec0")!, at: clock.moment) { _ in }
    }

    private func state(_ service: DisplayService) throws -> DisplayState {
        try #require(service.state(of: DisplayID("cec0")!))
    }

    @Test func `a switch that fails is tried again only when the television has rested`() throws {
        let service = try service(try television())
        perform(.grant(LeaseRequest(.sleep)), on: service)
        clock.advance(by: .seconds(60))
        set { $0.faults = .busy }
        let start = clock.now
        perform(.restoreAll(), on: service)
        // The tries themselves take longer than the pause after a fault.
        #expect(clock.now > start + .seconds(5))
        #expect(service.store[DisplayID("cec0")!]?.deadline == start + .seconds(10))
    }

    @Test func `a command that a television refuses leaves nothing to do`() throws {
        let service = try service(try television())
        set { $0.faults = .busy }
        perform(.setPower(false), on: service)
        perform(.tick, on: service)
        #expect(service.store[DisplayID("cec0")!]?.deadline == nil)
    }

    @Test func `the remote control is a person's hand`() async throws {
        let television = try television()
        let service = try service(television)
        var hints = television.changes.makeAsyncIterator()
        perform(.grant(LeaseRequest(.wake)), on: service)
        device.press(turnsOn: false)
        _ = television.turn()
        #expect(await hints.next() == .external)
        perform(.refresh(as: .external), on: service)
        let state = try state(service)
        #expect((state.power.isOn, state.cause.kind) == (false, .external))
        #expect(state.wake?.isOverridden == true)
        #expect(device.commands == [])
    }

    @Test func `a sleep outlives that the television was unplugged`() throws {
        let television = try television()
        let service = try service(television)
        perform(.grant(LeaseRequest(.sleep)), on: service)
        #expect(try state(service).power.isOn == false)
        clock.advance(by: TelevisionPower.pinLimit)
        device.plug(false)
        _ = television.turn()
        perform(.refresh(as: .lost), on: service)
        #expect(try !state(service).isAvailable)
        // It is on when it has power again, which is not a person's change.
        clock.advance(by: .seconds(30))
        set { $0.isOn = true }
        device.plug(true)
        _ = television.turn()
        perform(.refresh(as: .external), on: service)
        #expect(try !state(service).isAvailable)
        clock.advance(by: .seconds(1))
        _ = television.turn()
        perform(.refresh(as: .external), on: service)
        let state = try state(service)
        #expect((state.isAvailable, state.power.isOn, state.sleep?.isOverridden) == (true, false, false))
    }

    // MARK: The hot-plug pin

    /// How a television that drops its hot-plug pin in standby came to be off.
    enum Off: CaseIterable {
        case sleep, standby, crash
    }

    @Test(arguments: Off.allCases)
    func `a television that drops its hot-plug pin in standby is there, and is switched on`(off: Off) throws {
        set { $0.dropsPin = true }
        let journal = Journal()
        var television = try television()
        var service = try service(television, journal)
        if off == .standby { device.press(turnsOn: false) } else { perform(.grant(LeaseRequest(.sleep)), on: service) }
        _ = television.turn()
        perform(.refresh(as: .external), on: service)
        #expect(try (state(service).isAvailable, state(service).power.isOn) == (true, false))
        clock.advance(by: .seconds(600))
        if off == .crash {
            television = try self.television()
            service = try self.service(television, journal)
            #expect(try !state(service).isAvailable)
        }
        _ = television.turn()

        perform(off == .standby ? .setPower(true) : .restoreAll(), on: service)
        #expect(device.state.withLock { $0.isOn && !$0.isSentUnplugged })
        // It shows this machine.
        #expect(device.commands.last == .activeSource)
        _ = television.turn()
        clock.advance(by: .seconds(10))
        _ = television.turn()
        perform(.refresh(as: .external), on: service)
        #expect(try (state(service).isAvailable, state(service).power.isOn) == (true, true))
    }

    @Test func `a person switches a television on that has dropped its hot-plug pin`() throws {
        set { $0.dropsPin = true }
        let television = try television()
        let service = try service(television)
        perform(.grant(LeaseRequest(.sleep)), on: service)
        _ = television.turn()
        clock.advance(by: .seconds(60))
        device.press(turnsOn: true)
        _ = television.turn()
        clock.advance(by: .seconds(2))
        _ = television.turn()
        perform(.refresh(as: .external), on: service)
        let state = try state(service)
        #expect((state.isAvailable, state.power.isOn, state.sleep?.isOverridden) == (true, true, true))
    }

    @Test func `a television that is unplugged at the start is served as unavailable`() throws {
        set { $0.hasCable = false }
        let service = try service(try television())
        #expect(try !state(service).isAvailable)
    }

    @Test func `the power of a television that never answers is published as unknown`() throws {
        set { $0.faults = .silent }
        let service = try service(try television())
        #expect(try state(service).power.isOn == nil)
        perform(.setPower(false), on: service)
        let power = try state(service).power
        #expect((power.isOn, power.baseline) == (nil, false))
        #expect(device.state.withLock(\.isOn) == false)
    }

    @Test func `a television is switched once in ten seconds`() throws {
        let service = try service(try television())
        perform(.setPower(false), on: service)
        perform(.setPower(true), on: service)
        #expect(device.commands == [.standby])
        clock.advance(by: .seconds(10))
        perform(.tick, on: service)
        #expect(device.commands == [.standby, .imageViewOn, .activeSource])
    }
}
