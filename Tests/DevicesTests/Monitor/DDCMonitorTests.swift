// SPDX-License-Identifier: Apache-2.0
import Synchronization
import TestSupport
import Testing

@testable import BrightnessCore
@testable import Devices

/// The panel over a scripted helper, and the display service over the panel.
@Suite(.timeLimit(.minutes(10)))
struct DDCMonitorTests {
    private let script: ScriptedHelper
    private let hub = NotificationHub()
    private let clock = ManualClock()
    private let helper: DDCHelper
    private let found: DDCHelper.Found

    init() throws {
        script = try ScriptedHelper()
        helper = DDCHelper(path: script.path)
        found = DDCHelper.Found(id: try #require(DisplayID("DEL-U2720Q-1")), name: "DELL U2720Q", bus: 5)
    }

    /// Waiting for a turn advances the clock.
    private func monitor(writesPerDay: Int = 300) throws(DeviceError) -> DDCMonitor {
        try DDCMonitor(
            found,
            by: helper,
            writesPerDay: writesPerDay,
            source: hub.source,
            clock: clock,
            now: { [clock] in clock.moment },
            pause: { [clock] in clock.advance(by: $0) }
        )
    }

    @Test func `a monitor has the id and name of its discovery and the range it reports`() throws {
        let monitor = try monitor()
        #expect((monitor.id, monitor.name, monitor.kind) == (found.id, "DELL U2720Q", .ddc))
        #expect(monitor.range == BrightnessRange(minimum: 1, maximum: 100))
        #expect(try monitor.read() == 40)
        #expect(monitor.writes == DisplayState.Writes(today: 0, budget: 300))
    }

    @Test func `the writes of an earlier run count, and are in its record`() throws {
        let first = try monitor(writesPerDay: 2)
        for step in [10, 20] { try first.write(step) }
        let record = DisplayRecord(
            id: found.id,
            maximum: 100,
            baseline: .full,
            baselineStep: 20,
            device: first.deviceRecord
        )
        let second = try DDCMonitor(
            found,
            by: helper,
            goingOnFrom: record,
            writesPerDay: 2,
            source: hub.source,
            clock: clock,
            now: { [clock] in clock.moment },
            pause: { _ in }
        )
        #expect(second.writes == DisplayState.Writes(today: 2, budget: 2))
        #expect(second.demandRefusal == .worn(limit: 2))
    }

    @Test func `a write waits for its turn`() throws {
        let monitor = try monitor()
        for step in [10, 20, 30] { try monitor.write(step) }
        #expect(clock.now == Moment.after(.seconds(1)).instant)
        #expect(try script.step() == 30)
        clock.advance(by: .seconds(9))
        try monitor.write(40)
        #expect(clock.now == Moment.after(.seconds(10)).instant)
    }

    @Test func `a write waits until a switch is two seconds old`() throws {
        let monitor = try monitor()
        try monitor.writePower(true)
        try monitor.write(10)
        #expect(clock.now == Moment.after(monitor.switchInterval).instant)
    }

    @Test func `a monitor that keeps another step reports it`() throws {
        let monitor = try monitor()
        try script.fails(#"printf '{"current":80,"done":true,"maximum":100,"number":%s}\n' "$number"; continue"#)
        try monitor.write(100)
        #expect(monitor.substituteStep == 80)
        try script.fails(nil)
        try monitor.write(70)
        #expect(monitor.substituteStep == nil)
    }

    @Test func `a step above the range that the monitor had at the start is its largest`() throws {
        let monitor = try monitor()
        #expect(try monitor.read() == 40)
        try script.fails(#"printf '{"current":150,"maximum":200,"number":%s}\n' "$number"; continue"#)
        #expect(try monitor.read() == 100)
    }

    @Test func `a pair that begins long after the opening has the step that the monitor shows then`() throws {
        let monitor = try monitor()
        try script.set(80)
        clock.advance(by: .seconds(60))
        #expect(try monitor.read() == 80)
    }

    @Test func `a sleeping monitor is not written`() throws {
        let monitor = try monitor()
        try script.fails(#"printf '{"error":"asleep","number":%s}\n' "$number"; continue"#)
        #expect(throws: DeviceError.asleep(path: "ddc:DEL-U2720Q-1")) { try monitor.write(70) }
        #expect(monitor.writes?.today == 0)
        try script.fails(#"printf '{"error":"failed","number":%s}\n' "$number"; continue"#)
        #expect(throws: DeviceError.self) { try monitor.write(70) }
        #expect(monitor.writes?.today == 1)
    }

    @Test func `writes stop at the daily budget, and a raised brightness is still restored`() throws {
        let monitor = try monitor(writesPerDay: 2)
        let service = try DisplayService([.init(monitor, on: ImmediateQueue())], poster: hub.poster, at: .start)
        let results = Mutex<[Result<CommandSuccess, CommandError>]>([])
        func perform(_ action: Command.Action) throws {
            service.submit(Command(action), to: found.id, at: clock.moment) { result in
                results.withLock { $0.append(result) }
            }
            _ = try results.withLock { $0.removeLast() }.get()
        }
        try perform(.set(.fraction(Brightness(clamping: 0.5))))
        try perform(.grant(LeaseRequest(holder: "a")))
        #expect(service.state(of: found.id)?.writes == DisplayState.Writes(today: 2, budget: 2))
        try perform(.restore(holder: "a"))
        #expect(try script.step() == 50)
        #expect(throws: CommandError.panel(.worn(limit: 2))) { try perform(.grant(LeaseRequest(holder: "b"))) }
        #expect(throws: CommandError.panel(.worn(limit: 2))) { try perform(.set(.step(70))) }
        // A write of the current step does not count.
        try perform(.set(.step(50)))
        let state = try #require(service.state(of: found.id))
        #expect((state.isAvailable, state.boost, state.writes?.today) == (true, nil, 3))
        clock.advance(by: .seconds(86_400))
        try perform(.set(.step(70)))
        #expect(service.state(of: found.id)?.writes?.today == 1)
    }

    @Test func `a monitor is polled only while a viewer is connected`() async throws {
        let monitor = try monitor()
        let viewers = ViewerCount(poster: hub.poster)
        var changes = monitor.changes.makeAsyncIterator()
        var viewer: ViewerToken? = viewers.join()
        #expect(await changes.next(isolation: #isolation) == .external)
        for _ in 0..<2 {
            #expect(try await clock.nextSleep() == clock.now + DDCMonitor.pollInterval)
            clock.advance(by: DDCMonitor.pollInterval)
            #expect(await changes.next(isolation: #isolation) == .external)
        }
        #expect(viewer != nil)
        viewer = nil
        while clock.sleepers > 0 { await Task.yield() }
    }
}
