// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import DDCWire

/// Which monitor is which, over searches that miss some.
@Suite struct KnownMonitorsTests {
    private let edid: [UInt8] = [7, 7]
    private var known = KnownMonitors()

    private func listed(_ bus: Int, _ model: String = "X", edid: [UInt8]? = nil, answers: Bool = true) -> ListedMonitor
    {
        ListedMonitor(model: model, name: "a \(model)", bus: bus, edid: edid ?? self.edid, answers: answers)
    }

    private func connectors(_ buses: Int..., without empty: Int? = nil) -> [Connector] {
        buses.map { .with($0 == empty ? [] : edid, at: "DP-\($0)", bus: $0, isConnected: $0 != empty) }
    }

    private func ids(_ isAnswering: Bool? = nil) -> [String] {
        known.monitors.filter { isAnswering == nil || $0.answers == isAnswering }.map(\.id)
    }

    @Test(arguments: [true, false])
    mutating func `a monitor that is off is kept, whether its EDID is read or not`(isListed: Bool) {
        known.adopt([listed(5)], among: connectors(5))
        // The hot-plug signal of some goes with their power.
        for without in [nil, 5] {
            known.adopt(isListed ? [listed(5, answers: false)] : [], among: connectors(5, without: without))
            #expect((ids(true), ids(false)) == ([], ["X"]))
            #expect(known["X"]?.address == MonitorAddress(connector: "DP-5", bus: 5))
        }
        known.adopt([listed(5)], among: connectors(5))
        #expect(ids(true) == ["X"])
    }

    @Test mutating func `it is forgotten once another monitor is at its bus, or it is found at another connector`() {
        known.adopt([listed(5)], among: connectors(5))
        var other = known
        other.adopt([listed(5, "Y", edid: [9])], among: connectors(5))
        #expect(other.monitors.map(\.id) == ["Y"])
        other = known
        other.adopt([listed(5, "Y", edid: [9], answers: false)], among: connectors(5))
        #expect(other.monitors.map(\.id) == [])
        known.adopt([listed(6)], known: ["X": MonitorAddress("DP-5@5")], among: connectors(5, 6, without: 5))
        #expect((ids(), known["X"]?.bus) == (["X"], 6))
    }

    @Test mutating func `an equal monitor takes no id while the first one's connector shows it`() {
        known.adopt([listed(6)], among: connectors(6))
        known.adopt([listed(5)], known: ["X": MonitorAddress("DP-6@6")], among: connectors(5, 6))
        #expect((ids(true), ids(false)) == (["X-DP-5"], ["X"]))
        known.adopt([listed(5), listed(6)], known: ["X": nil, "X-DP-5": nil], among: connectors(5, 6))
        #expect(ids(true) == ["X-DP-5", "X"])
    }

    @Test mutating func `one of two equal monitors that is off is kept while the other one answers`() {
        known.adopt([listed(5), listed(6)], among: connectors(5, 6))
        // The hot-plug signal of some goes with their power.
        known.adopt([listed(6)], among: connectors(5, 6, without: 5))
        #expect((ids(true), ids(false)) == (["X-DP-6"], ["X"]))
    }

    @Test mutating func `a monitor that was moved keeps its id in a new process, whatever has its connector now`() {
        let swapped = [Connector.with([9], at: "DP-5", bus: 5), .with(edid, at: "DP-6", bus: 6)]
        known.adopt([listed(6)], known: ["X": MonitorAddress("DP-5@5")], among: swapped)
        #expect((ids(), known["X"]?.bus) == (["X"], 6))
    }

    @Test mutating func `a monitor that another one has replaced for a while keeps its id at another connector`() {
        func connectors(_ five: [UInt8], _ six: [UInt8]) -> [Connector] {
            [.with(five, at: "DP-5", bus: 5), .with(six, at: "DP-6", bus: 6)]
        }
        // A new process does not see what was at DP-5 before.
        known.adopt([listed(6, answers: false)], known: ["X": MonitorAddress("DP-5@5")], among: connectors([9], edid))
        known.adopt([listed(5, answers: false), listed(6, "Y", edid: [9])], among: connectors(edid, [9]))
        known.adopt([listed(6)], among: connectors([9], edid))
        #expect(ids(true) == ["X"])
    }

    @Test mutating func `a monitor is switched off only where it was seen last`() {
        known.adopt([], known: ["X": MonitorAddress("DP-5@5")], among: connectors(5))
        let isUnseen = !known.maySwitchOff("X", among: connectors(5))
        known.adopt([listed(5)], among: connectors(5))
        let isSeen = known.maySwitchOff("X", among: connectors(5))
        // The search after this has failed.
        let isReplaced = !known.maySwitchOff("X", among: [.with([9], at: "DP-5", bus: 5)])
        #expect((isUnseen, isSeen, isReplaced) == (true, true, true))
        known.adopt([listed(5)], among: [])
        let isWithoutConnector = known.maySwitchOff("X", among: [])
        #expect(isWithoutConnector)
    }

    @Test mutating func `a monitor of an earlier run that does not answer is known by its id and its connector`() {
        // The numbers of buses differ from boot to boot.
        known.adopt([], known: ["X": MonitorAddress("DP-5@3"), "plain": nil], among: connectors(5))
        #expect((ids(), known["X"]?.bus, known["X"]?.name) == (["X"], 5, "X"))
        known.adopt([listed(5, answers: false)], known: ["X": MonitorAddress("DP-5@3")], among: connectors(5))
        #expect((ids(false), known["X"]?.name) == (["X"], "a X"))
        known.adopt([], known: ["Z": MonitorAddress("@8")], among: [])
        #expect(known["Z"]?.address.text == "@8")
        // A laptop's own panel has an EDID and no DDC/CI.
        known.adopt([listed(9, "panel", edid: [3], answers: false)], among: [])
        #expect(known["panel"] == nil)
    }

    @Test mutating func `a search is complete once the monitor at each connector answers`() {
        known.adopt([listed(5)], among: [])
        #expect(known.isComplete == nil)
        let panel = Connector.with([3], at: "eDP-1")
        known.adopt([listed(5)], among: connectors(5) + [panel])
        #expect(known.isComplete == true)
        known.adopt([listed(5)], among: connectors(5, 6))
        #expect(known.isComplete == false)
        known.adopt([listed(5)], among: connectors(5, 6, without: 6))
        #expect(known.isComplete == true)
        known.adopt([listed(5, answers: false)], among: connectors(5))
        #expect(known.isComplete == false)
    }

    @Test mutating func `a monitor has moved if its EDID came to a connector after the search`() {
        known.adopt([listed(5)], among: connectors(5, 6, without: 6))
        #expect(known.power(of: "X", among: connectors(5, 6, without: 6)) == .on)
        #expect(known.power(of: "X", among: connectors(5, 6, without: 5)) == .moved)
        #expect(known.power(of: "other", among: []) == nil)
        // The search did not find it there.
        known.adopt([], among: connectors(5, 6, without: 5))
        #expect(known.power(of: "X", among: connectors(5, 6, without: 5)) == .unplugged)
    }

    @Test(arguments: ["DP-1@5", "@5", "HDMI-A-1@0"])
    func `an address is written and read`(text: String) {
        #expect(MonitorAddress(text)?.text == text)
    }

    @Test(arguments: ["", "DP-1", "DP-1@", "DP-1@-1", "DP-1@5@6", "@x"])
    func `anything else is not an address`(text: String) {
        #expect(MonitorAddress(text) == nil)
    }
}
