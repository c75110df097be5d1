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

    private func registration(_ name: String) -> DisplayService.PanelRegistration {
        .init(ScriptedPanel(DisplayID(name)!, range: range, step: 50), on: queue)
    }

    @Test func `a new display replaces the simulated one, whose leases are released first`() throws {
        let displays = try DisplayService([registration("simulated")], poster: hub.poster, at: .start)
        let ends = hub.source.listen(to: NotificationFilter([.lease, .display])) {}
        displays.submit(Command(.grant(LeaseRequest())), to: DisplayID("simulated")!, at: .start) { _ in }
        queue.runAll()
        _ = ends.drain()
        let upkeep = DisplayUpkeepTask(
            displays: displays,
            opened: OpenedDisplays(),
            provided: ProvidedPanels(displays, pairs: Pairs([]), at: .start),
            source: hub.source,
            logger: log.logger
        )
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
        #expect(reported == ["edp added", "released", "simulated removed"])
        #expect(log.all == ["notice edp was connected"])
    }

    @Test func `a panel whose id is in use is not added`() throws {
        let displays = try DisplayService([registration("edp")], poster: hub.poster, at: .start)
        let upkeep = DisplayUpkeepTask(
            displays: displays,
            opened: OpenedDisplays(),
            provided: ProvidedPanels(displays, pairs: Pairs([]), at: .start),
            source: hub.source,
            logger: log.logger
        )
        #expect(!upkeep.add(registration("edp")))
        #expect(log.all.first?.hasPrefix("warning cannot use edp: ") == true)
    }
}
