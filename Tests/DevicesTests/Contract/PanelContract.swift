// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import Devices
import TestSupport
import Testing

/// A kind of panel, for tests that every kind must pass. A new kind is one more entry of `all`.
struct PanelKind: CustomTestStringConvertible, Sendable {
    /// A panel of 1,000 steps at 400, with controls for the test.
    struct Subject: Sendable {
        let panel: any Panel
        /// Sets the step like another program.
        let setByOthers: @Sendable (Int) throws -> Void
        /// The fixture that the panel needs while it is used.
        var base: any Sendable = ()
    }

    let testDescription: String
    /// Whether it accepts writes.
    var isWritable = true
    let make: @Sendable () throws -> Subject

    static let all = [simulated, backlight, led, monitor, refusing]

    static let simulated = PanelKind(testDescription: "simulated") {
        let panel = SimulatedPanel()
        return Subject(panel: panel, setByOthers: { panel.set(to: $0) })
    }

    static let backlight = PanelKind(testDescription: "backlight") {
        let tree = try SysfsTree()
        try tree.addBacklight("a")
        let panel = try SysfsBacklight(.a, root: tree.root, watch: PanelWatch(clock: ManualClock()))
        return Subject(panel: panel, setByOthers: { try tree.set("\($0)\n", "a") }, base: tree)
    }

    static let led = PanelKind(testDescription: "LED") {
        let tree = try SysfsTree(of: "leds")
        try tree.addDevice("a")
        let panel = try SysfsLED(.a, root: tree.root, watch: PanelWatch(clock: ManualClock()))
        return Subject(panel: panel, setByOthers: { try tree.set("\($0)\n", "a") }, base: tree)
    }

    static let monitor = PanelKind(testDescription: "monitor") {
        let script = try ScriptedHelper(step: 400, maximum: 1_000)
        let helper = DDCHelper(path: script.path)
        let clock = ManualClock()
        let panel = try DDCMonitor(
            try #require(try helper.search().found.first),
            by: helper,
            writesPerDay: 300,
            source: NotificationHub().source,
            now: { clock.moment },
            pause: { clock.advance(by: $0) }
        )
        // The step at its discovery is the first reported state.
        _ = try panel.read()
        return Subject(panel: panel, setByOthers: { try script.set($0) }, base: script)
    }

    static let refusing = PanelKind(testDescription: "one that refuses", isWritable: false) {
        let panel = ScriptedPanel(.a, range: BrightnessRange(minimum: 1, maximum: 1_000)!, step: 400)
        panel.failWrites(.permission(path: "a"), times: .max)
        return Subject(panel: panel, setByOthers: { panel.step = $0 })
    }
}

extension DisplayID {
    fileprivate static let a = DisplayID("a")!
}

/// The contract of every panel.
@Suite(.timeLimit(.minutes(10))) struct PanelContractTests {
    @Test(arguments: PanelKind.all)
    func `the range begins above 0, unless the panel is a light, and is constant`(kind: PanelKind) throws {
        let subject = try kind.make()
        let range = subject.panel.range
        #expect(range.minimum == (subject.panel.kind == .led ? 0 : 1))
        #expect(range.maximum == 1_000)
        try subject.setByOthers(900)
        #expect(subject.panel.range == range)
    }

    @Test(arguments: PanelKind.all)
    func `a panel shows the written step, and keeps its step after a rejected write`(kind: PanelKind) throws {
        let subject = try kind.make()
        #expect(try subject.panel.read() == 400)
        for step in [1, 2, 399, 401, 999, 1_000] {
            let before = try subject.panel.read()
            if kind.isWritable {
                try subject.panel.write(step)
            } else {
                #expect(throws: DeviceError.self) { try subject.panel.write(step) }
            }
            #expect(try subject.panel.read() == (kind.isWritable ? step : before))
        }
    }

    @Test(arguments: PanelKind.all)
    func `a step set by another program is read, also below the guard`(kind: PanelKind) throws {
        let subject = try kind.make()
        for step in [700, 0, 1_000] {
            try subject.setByOthers(step)
            #expect(try subject.panel.read() == step)
        }
    }

    @Test(arguments: PanelKind.all)
    func `a reader of changes may stop`(kind: PanelKind) async throws {
        let subject = try kind.make()
        let reader = Task { for await _ in subject.panel.changes {} }
        reader.cancel()
        await reader.value
    }

    @Test(arguments: PanelKind.all)
    func `as a display a panel is set or reports an error, follows other programs, and is restored after a boost`(
        kind: PanelKind
    ) async throws {
        let subject = try kind.make()
        let id = subject.panel.id
        let service = try DisplayService(
            [DisplayService.PanelRegistration(subject.panel, on: ImmediateQueue())],
            poster: NotificationHub().poster,
            at: .start
        )
        func perform(_ action: Command.Action) async -> Result<CommandSuccess, CommandError> {
            await service.perform(Command(action), on: id, at: .start)
        }
        let set = await perform(.set(.step(500)))
        let boosted = await perform(.grant(LeaseRequest(holder: "a")))
        #expect(try subject.panel.read() == (kind.isWritable ? 1_000 : 400))
        _ = await perform(.restore(holder: "a"))
        #expect(try subject.panel.read() == (kind.isWritable ? 500 : 400))
        for result in [set, boosted] {
            switch result {
            case .success: #expect(kind.isWritable)
            case .failure(let error): #expect(!kind.isWritable && error == .panel(.permission(path: "a")))
            }
        }
        try subject.setByOthers(250)
        #expect(try await perform(.refresh(as: .hotkey)).get().state.baseline == Brightness(clamping: 0.25))
        #expect(service.state(of: id)?.cause.kind == .hotkey)
    }
}
