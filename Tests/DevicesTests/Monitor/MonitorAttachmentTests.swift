// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import DDCWire

extension Connector {
    /// A connector with a signal, whose driver reports its bus.
    static func with(
        _ edid: [UInt8],
        at plug: String,
        bus: Int? = nil,
        isConnected: Bool? = true,
        isOn: Bool? = true
    ) -> Connector {
        Connector(
            name: "card0-\(plug)",
            buses: bus.map { [$0] } ?? [],
            edid: edid,
            isConnected: isConnected,
            isOn: isOn
        )
    }
}

@Suite struct MonitorAttachmentTests {
    private let first: [UInt8] = [1, 1]
    private let second: [UInt8] = [2, 2]

    @Test func `of two connectors on one bus, a monitor's is the one with its EDID`() {
        let connectors: [Connector] = [.with(first, at: "DP-1", bus: 5), .with(second, at: "HDMI-A-1", bus: 5)]
        let attachments = MonitorAttachment.attachments(of: [(5, second)], among: connectors)
        #expect(attachments.map { $0?.connector } == ["HDMI-A-1"])
        // The kernel has an EDID that is not the monitor's at both.
        #expect(MonitorAttachment.attachments(of: [(5, [3])], among: connectors).map { $0?.connector } == ["DP-1"])
        // Nothing is plugged into the other one.
        let half: [Connector] = [.with([], at: "DP-1", bus: 5, isConnected: false), connectors[1]]
        #expect(MonitorAttachment.attachments(of: [(5, [3])], among: half).map { $0?.connector } == ["HDMI-A-1"])
    }

    @Test func `the connector of another monitor's bus is not possible for a monitor on an unknown one`() {
        let connectors: [Connector] = [
            .with(first, at: "DP-1", bus: 5), .with(first, at: "DP-2"), .with(first, at: "DP-3"),
        ]
        let attachments = MonitorAttachment.attachments(of: [(5, first), (6, first)], among: connectors)
        #expect(attachments.map { $0?.names } == [["card0-DP-1"], ["card0-DP-2", "card0-DP-3"]])
        #expect(attachments.map { $0?.connector } == ["DP-1", nil])
    }

    @Test(arguments: [
        ([Connector.with([1, 1], at: "DP-1")], MonitorAttachment.Power.on),
        ([.with([1, 1], at: "DP-1", isOn: false)], .asleep),
        ([.with([1, 1], at: "DP-1", isOn: nil)], .unknown), ([.with([], at: "DP-1")], .unplugged),
        ([.with([1, 1], at: "DP-1", isConnected: false)], .unplugged),
        ([.with([], at: "DP-1"), .with([1, 1], at: "DP-2")], .moved),
        ([.with([], at: "DP-1"), .with([1, 1], at: "DP-3")], .unplugged), ([], .unplugged),
    ])
    func `connectors decide whether a monitor is there and awake`(now: [Connector], power: MonitorAttachment.Power)
        throws
    {
        let found = MonitorAttachment.attachments(of: [(5, first)], among: [.with(first, at: "DP-1", bus: 5)])
        let attachment = try #require(found[0])
        #expect(attachment.power(among: now, apartFrom: ["card0-DP-3"]) == power)
    }

    @Test func `connectors are read from the kernel's files`() throws {
        let tree = try SysfsTree()
        let folder = "class/drm/card0-DP-1"
        for directory in ["class/drm", folder, "\(folder)/i2c-7", "class/drm/card0"] {
            try tree.makeDirectory(directory)
        }
        try tree.write("an EDID", "\(folder)/edid")
        try tree.write("connected\n", "\(folder)/status")
        try tree.write("Off\n", "\(folder)/dpms")
        try tree.link("\(folder)/ddc", to: "../../../../pci0000:00/i2c-5")
        let edid = Array("an EDID".utf8)
        let found = Connector(name: "card0-DP-1", buses: [5, 7], edid: edid, isConnected: true, isOn: false)
        #expect(Connectors(sysfsRoot: tree.root).all == [found])
        try tree.write("unknown\n", "\(folder)/status")
        #expect(Connectors(sysfsRoot: tree.root).all.map(\.isConnected) == [nil])
    }
}
