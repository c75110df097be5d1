// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import TestSupport
import Testing

@testable import Devices

@Suite struct PairsTests {
    private let range = BrightnessRange(maximum: 100)!
    private let desk = Pairs.Pair(id: DisplayID("desk")!, brightness: DisplayID("veil")!, power: DisplayID("relay")!)

    private func panel(_ id: DisplayID, isSwitchable: Bool = false) -> ScriptedPanel {
        ScriptedPanel(id, name: "The \(id)", range: range, step: 50, isSwitchable: isSwitchable)
    }

    private func admit(_ panel: any Panel, to pairs: Pairs) -> (any Panel)? {
        pairs.admit(.init(panel, on: ImmediateQueue()))?.panel
    }

    @Test func `a panel of no pair is served itself`() {
        let pairs = Pairs([desk])
        let other = panel(DisplayID("other")!)
        #expect(admit(other, to: pairs)?.id == other.id)
        #expect(pairs.served(for: other)?.id == other.id)
        #expect(pairs.display(of: other.id) == other.id)
    }

    @Test(arguments: [true, false])
    func `a pair is served with its second part, in either order`(isBrightnessFirst: Bool) throws {
        let pairs = Pairs([desk])
        let (veil, relay) = (panel(desk.brightness), panel(desk.power, isSwitchable: true))
        let (first, second) = isBrightnessFirst ? (veil, relay) : (relay, veil)
        #expect(admit(first, to: pairs) == nil)
        #expect(pairs.served(for: first) == nil)
        let pair = try #require(admit(second, to: pairs))
        #expect((pair.id, pair.name, pair.isSwitchable) == (desk.id, "The veil", true))
        #expect(pairs.served(for: first)?.id == desk.id)
        #expect(pairs.display(of: desk.power) == desk.id)
        try pair.write(20)
        try pair.writePower(false)
        #expect((veil.writes, veil.switches, relay.writes, relay.switches) == ([20], [], [], [false]))
        #expect(try pair.read() == 20)
        #expect(pair.readPower() == false)
    }

    @Test func `a pair is there while both of its parts are`() throws {
        let pairs = Pairs([desk])
        let (veil, relay) = (panel(desk.brightness), panel(desk.power, isSwitchable: true))
        _ = admit(veil, to: pairs)
        let pair = try #require(admit(relay, to: pairs))
        for part in [veil, relay] {
            part.failReads(.absent(path: part.name))
            #expect(throws: DeviceError.absent(path: part.name)) { try pair.read() }
            #expect(try pair.read() == 50)
        }
    }

    @Test func `the brightness of a pair is written right after a switch, which has an interval`() throws {
        let pairs = Pairs([desk])
        let veil = panel(desk.brightness)
        let relay = ScriptedPanel(
            desk.power,
            range: range,
            step: 50,
            isSwitchable: true,
            switchInterval: .seconds(10)
        )
        _ = admit(veil, to: pairs)
        let pair = try #require(admit(relay, to: pairs))
        let poster = NotificationHub().poster
        let service = try DisplayService([.init(pair, on: ImmediateQueue())], poster: poster, at: .start)
        let actions: [Command.Action] = [
            .setPower(false), .setPower(true), .set(.fraction(Brightness(clamping: 0.2))), .setPower(false),
        ]
        for (action, second) in zip(actions, [0, 20, 20, 20]) {
            service.submit(Command(action), to: desk.id, at: .after(.seconds(second))) { _ in }
        }
        #expect(veil.writes == [20])
        #expect(relay.switches == [false, true])
    }

    @Test func `a pair passes the reports of both parts on, also of a part that came again`() async throws {
        let pairs = Pairs([desk])
        let (veil, relay) = (panel(desk.brightness), panel(desk.power))
        _ = admit(veil, to: pairs)
        var reports = try #require(admit(relay, to: pairs)).changes.makeAsyncIterator()
        veil.hint(.hotkey)
        #expect(await reports.next() == .hotkey)
        relay.hint(.external)
        #expect(await reports.next() == .external)

        pairs.remove(desk.brightness)
        #expect(await reports.next() == nil)
        let again = panel(desk.brightness)
        reports = try #require(admit(again, to: pairs)).changes.makeAsyncIterator()
        relay.hint(.external)
        #expect(await reports.next() == .external)
        again.hint(.connected)
        #expect(await reports.next() == .connected)
    }
}

@Suite struct DisplayPairTests {
    @Test func `a part is an id or a device`() throws {
        let pair = try #require(DisplayPair("lobby=lobby-page+led:desk"))
        #expect(pair.id.text == "lobby")
        #expect(pair.brightness == .display(DisplayID("lobby-page")!))
        #expect(pair.power == .device(.led(KernelName("desk")!)))
        #expect(try #require(DisplayPair("a=b+cec:0")).power == .device(.cec(0)))
        #expect(
            try #require(DisplayPair("a=simulated+simulated:b")).devices == [
                .simulated(nil), .simulated(DisplayID("b")),
            ]
        )
    }

    @Test(arguments: [
        "", "lobby", "lobby=", "lobby=a", "lobby=a+", "=a+b", "lobby=a+b+c", "hall:x=a+b", "lobby=hall:x+b", "all=a+b",
        "lobby=auto+b", "lobby=none+b", "lobby=a+cec:auto",
        "lobby=a+nope:b", "lobby=all+b", "lobby=a b+c", "lobby=ddc:+b",
    ])
    func `another text is not a pair`(text: String) { #expect(DisplayPair(text) == nil) }
}
