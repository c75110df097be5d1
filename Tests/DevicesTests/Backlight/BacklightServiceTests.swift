// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import Devices
import Glibc
import TestSupport
import Testing

/// A display service over a tree of files, which other programs write with an editor.
@Suite struct BacklightServiceTests {
    let tree: SysfsTree
    let service: DisplayService
    let id: DisplayID

    init() throws {
        tree = try SysfsTree()
        try tree.addBacklight("intel_backlight", brightness: 400, maximum: 1_000)
        let opened = try openDisplays([.auto], sysfsRoot: tree.root, minimum: Brightness(clamping: 0.05))
        id = try #require(opened.registrations.first?.panel.id)
        service = try DisplayService(opened.registrations, poster: NotificationHub().poster, at: .start)
    }

    private var file: String { get throws { try tree.read("intel_backlight") } }

    private func perform(_ action: Command.Action, after seconds: Int) async throws -> DisplayState {
        try await service.perform(Command(action), on: id, at: .after(.seconds(seconds))).get().state
    }

    private func state(_ notification: BrightnessCore.Notification?) throws -> DisplayState {
        try #require(notification.flatMap { if case .state(let state) = $0 { state } else { nil } })
    }

    @Test func `the first state is the file's, and nothing is written`() throws {
        let state = try #require(service.state(of: id))
        #expect(state.name == "Built-in display")
        #expect(state.baseline == Brightness(clamping: 0.4))
        #expect(state.step == 400)
        #expect(state.range == BrightnessRange(minimum: 50, maximum: 1_000))
        #expect(try file == "400\n")
    }

    @Test(arguments: [(0.25, "250"), (1, "1000"), (0.0504, "50"), (0.01, "50"), (0, "50")])
    func `setting the brightness writes the step, never below the guard`(fraction: Double, text: String) async throws {
        _ = try await perform(.set(.fraction(Brightness(clamping: fraction))), after: 1)
        #expect(try file == text)
    }

    @Test func `a boost raises the brightness, and its release restores the baseline`() async throws {
        _ = try await perform(.set(.fraction(Brightness(clamping: 0.25))), after: 1)
        let boosted = try await perform(.grant(LeaseRequest(holder: "a")), after: 2)
        #expect(boosted.brightness == .full)
        #expect(try file == "1000")
        let restored = try await perform(.restore(holder: "a"), after: 3)
        #expect(restored.boost == nil)
        #expect(restored.brightness == Brightness(clamping: 0.25))
        #expect(try file == "250")
    }

    @Test func `a write by another program becomes the baseline`() async throws {
        try tree.set("700\n", "intel_backlight")
        let state = try await perform(.refresh(), after: 1)
        #expect(state.baseline == Brightness(clamping: 0.7))
        #expect(state.brightness == Brightness(clamping: 0.7))
        #expect(state.step == 700)
        #expect(state.cause.kind == .external)
        #expect(state.cause.at == Moment.after(.seconds(1)).wall)
        #expect(try file == "700\n")

        _ = try await perform(.grant(LeaseRequest()), after: 2)
        _ = try await perform(.restoreAll(), after: 3)
        #expect(try file == "700")
    }

    @Test func `a write by another program during a boost applies until the last lease ends`() async throws {
        _ = try await perform(.grant(LeaseRequest()), after: 1)
        try tree.set("300\n", "intel_backlight")
        let state = try await perform(.refresh(), after: 2)
        #expect(state.brightness == Brightness(clamping: 0.3))
        #expect(state.baseline == Brightness(clamping: 0.3))
        #expect(state.boost?.isOverridden == true)
        #expect(state.cause.kind == .external)
        #expect(try file == "300\n")

        let released = try await perform(.restoreAll(), after: 3)
        #expect(released.boost == nil)
        #expect(released.brightness == Brightness(clamping: 0.3))
        #expect(try file == "300\n")

        _ = try await perform(.grant(LeaseRequest()), after: 4)
        #expect(try file == "1000")
    }

    @Test func `a poll without a change makes no new revision`() async throws {
        let before = service.all.revision
        _ = try await perform(.refresh(), after: 1)
        #expect(service.all.revision == before)
    }

    @Test func `a removed backlight rejects commands, and receives pending writes when it returns`() async throws {
        _ = try await perform(.grant(LeaseRequest()), after: 1)
        tree.removeBacklight("intel_backlight")
        let refused = await service.perform(Command(.set(.fraction(.full))), on: id, at: .after(.seconds(2)))
        guard case .failure(.panel(.absent)) = refused else {
            Issue.record("\(refused)")
            return
        }
        #expect(service.state(of: id)?.isAvailable == false)
        let released = try await perform(.restoreAll(), after: 3)
        #expect(released.boost == nil)
        #expect(released.baseline == Brightness(clamping: 0.4))

        try tree.addBacklight("intel_backlight", brightness: 1_000, maximum: 1_000)
        let back = try await perform(.refresh(), after: 4)
        #expect(back.isAvailable)
        #expect(back.baseline == Brightness(clamping: 0.4))
        #expect(try file == "400")
    }

    @Test func `a read-only backlight reports it and keeps its baseline`() async throws {
        try tree.replaceByLink(to: "/dev/full", "intel_backlight", "brightness")
        let panel = try #require(DisplayID("intel_backlight"))
        let refused = await service.perform(Command(.set(.fraction(.full))), on: panel, at: .after(.seconds(1)))
        guard case .failure(.panel(.io(_, ENOSPC))) = refused else {
            Issue.record("\(refused)")
            return
        }
        #expect(service.state(of: id)?.baseline == Brightness(clamping: 0.4))
    }

    @Test func `the poll once a second finds a write by another program`() async throws {
        let (hub, clock) = (NotificationHub(), ManualClock())
        let panel = try SysfsBacklight(id, root: tree.root, watch: PanelWatch(clock: clock))
        let registration = DisplayService.PanelRegistration(panel, on: ImmediateQueue())
        let service = try DisplayService([registration], poster: hub.poster, at: .start)
        let watcher = Task { await service.watch(panel) { clock.moment } }
        defer { watcher.cancel() }

        var states = hub.source.notifications(of: NotificationFilter([.state])).makeAsyncIterator()
        let first = try state(await states.next(isolation: nil))
        #expect(first.step == 400)

        _ = try await clock.nextSleep()
        try tree.set("123\n", "intel_backlight")
        clock.advance(by: .seconds(1))
        let second = try state(await states.next(isolation: nil))
        #expect(second.step == 123)
        #expect(second.cause.kind == .external)
    }
}
