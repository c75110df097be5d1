// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import TestSupport
import Testing

@testable import DaemonRuntime
@testable import Devices

@Suite struct DisplayUpkeepTaskTests {
    private let queue = ManualQueue()
    private let hub = NotificationHub()
    private let log = LogRecorder()
    private let range = BrightnessRange(maximum: 100)!

    private func registration(_ name: String, _ kind: DisplayKind = .backlight) -> DisplayService.PanelRegistration {
        .init(ScriptedPanel(DisplayID(name)!, kind: kind, range: range, step: 50), on: queue)
    }

    private func task(_ displays: DisplayService, _ opened: OpenedDisplays = OpenedDisplays()) -> DisplayUpkeepTask {
        DisplayUpkeepTask(
            displays: displays,
            opened: opened,
            provided: ProvidedPanels(displays, pairs: opened.pairs, at: .start),
            source: hub.source,
            logger: log.logger
        )
    }

    @Test func `a new display does not replace a client's with the id of the simulated one`() throws {
        let displays = try DisplayService([registration("simulated", .provided)], poster: hub.poster, at: .start)
        let upkeep = task(displays)
        var new = OpenedDisplays()
        new.replaced = DisplayID("simulated")
        upkeep.welcome(new, at: .start)
        queue.runAll()
        #expect(displays.displays.map(\.text) == ["simulated"])
    }

    @Test func `a new display replaces the simulated one, whose leases end first`() throws {
        let displays = try DisplayService([registration("simulated", .simulated)], poster: hub.poster, at: .start)
        let ends = hub.source.listen(to: NotificationFilter([.lease, .display])) {}
        displays.submit(Command(.grant(LeaseRequest())), to: DisplayID("simulated")!, at: .start) { _ in }
        queue.runAll()
        _ = ends.drain()
        let upkeep = task(displays)
        var new = OpenedDisplays()
        new.replaced = DisplayID("simulated")
        #expect(upkeep.add(registration("edp")))
        upkeep.welcome(new, at: .start)
        queue.runAll()
        #expect(displays.displays.map(\.text) == ["edp"])
        let reported = ends.drain().map { notification in
            switch notification {
            case .lease(let event, _): "\(event.change)"
            case .display(let id, let change, _): "\(id) \(change)"
            default: "\(notification)"
            }
        }
        #expect(reported == ["edp added", "stopped", "simulated removed"])
        #expect(log.all == ["notice edp was connected"])
    }

    @Test func `the simulated display comes back when no other one is left`() throws {
        let opened = try openDisplays([], sysfsRoot: "/nowhere")
        let simulated = try #require(opened.standIn)
        let displays = try DisplayService(opened.registrations, poster: hub.poster, at: .start)
        let upkeep = task(displays, opened)
        let page = registration("page")
        try displays.add(page, at: .start)
        displays.retire(own: simulated, because: "replaced", at: .start)
        upkeep.restoreStandIn(at: .start)
        #expect(displays.displays == [page.panel.id])
        displays.withdraw(own: page.panel.id)
        for _ in 0..<2 { upkeep.restoreStandIn(at: .start) }
        #expect(displays.displays == [simulated])
        #expect(displays.state(of: simulated)?.isAvailable == true)
    }

    @Test(arguments: ["left", "right"])
    func `a monitor of a pair that was unplugged or plugged in is read`(part: String) throws {
        let pair = Pairs.Pair(id: DisplayID("desk")!, brightness: DisplayID("left")!, power: DisplayID("right")!)
        var opened = OpenedDisplays()
        opened.pairs = Pairs([pair])
        let panels = pair.parts.map {
            ScriptedPanel($0, range: range, step: 50, isCheapToRead: false, isSwitchable: true)
        }
        let served = panels.compactMap { opened.pairs.admit(.init($0, on: queue)) }.map(\.panel)
        let displays = try DisplayService(served.map { .init($0, on: queue) }, poster: hub.poster, at: .start)
        let upkeep = task(displays, opened)
        var new = OpenedDisplays()
        new.changed = [try #require(DisplayID(part))]
        for isThere in [false, true] {
            for panel in panels where panel.id.text == part {
                if isThere { panel.heal() } else { panel.failReads(.absent(path: part), times: .max) }
            }
            upkeep.welcome(new, at: .after(.seconds(isThere ? 60 : 1)))
            queue.runAll()
            #expect(displays.state(of: pair.id)?.isAvailable == isThere)
        }
    }

    @Test func `a pair that cannot be read when its second part comes is served once it can`() throws {
        let pair = Pairs.Pair(id: DisplayID("desk")!, brightness: DisplayID("left")!, power: DisplayID("right")!)
        var opened = OpenedDisplays()
        opened.pairs = Pairs([pair])
        let keyboard = ScriptedPanel(pair.brightness, range: range, step: 50)
        _ = opened.pairs.admit(.init(keyboard, on: queue))
        keyboard.failReads(.absent(path: "left"))
        let displays = try DisplayService([], poster: hub.poster, at: .start)
        let upkeep = task(displays, opened)
        for isReadable in [false, true] {
            #expect(upkeep.add(registration("right")) == isReadable)
            #expect(displays.displays == (isReadable ? [pair.id] : []))
        }
    }

    @Test func `a panel whose id is in use is not added, which is logged once`() throws {
        let displays = try DisplayService([registration("edp")], poster: hub.poster, at: .start)
        let upkeep = task(displays)
        for _ in 0..<3 { #expect(!upkeep.add(registration("edp"))) }
        #expect(log.all.count == 1 && log.all[0].hasPrefix("warning cannot use edp: "))
    }
}
