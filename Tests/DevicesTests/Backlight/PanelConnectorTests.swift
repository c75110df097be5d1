// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import TestSupport
import Testing

@testable import Devices

/// The signal of a backlight's panel, by its connector.
@Suite struct PanelConnectorTests {
    private let tree: SysfsTree
    private let id: DisplayID

    init() throws {
        tree = try SysfsTree()
        try tree.addBacklight("amdgpu_bl1")
        try tree.makeDirectory("class/drm")
        id = try #require(DisplayID("amdgpu_bl1"))
    }

    private func connect(_ name: String, _ status: String = "connected", dpms: String = "On") throws {
        try tree.makeDirectory("class/drm/\(name)")
        try tree.write("\(status)\n", "class/drm/\(name)/status")
        try tree.write("\(dpms)\n", "class/drm/\(name)/dpms")
    }

    private func signal() throws -> Bool? { try SysfsBacklight(id, root: tree.root).readSignal() }

    @Test(arguments: [("On", true), ("Off", false), ("Standby", false), ("Suspend", false)])
    func `the kernel's word is the signal`(dpms: String, hasSignal: Bool) throws {
        try connect("card1-eDP-1", dpms: dpms)
        try connect("card1-HDMI-A-1", dpms: hasSignal ? "Off" : "On")
        #expect(try signal() == hasSignal)
    }

    @Test func `the connector that the driver states wins`() throws {
        try connect("card1-eDP-1")
        try connect("card1-eDP-2", dpms: "Off")
        #expect(try signal() == nil)
        try tree.link("class/backlight/amdgpu_bl1/device", to: "../../card1-eDP-2")
        #expect(try signal() == false)
    }

    @Test(arguments: [[], ["card0-HDMI-A-1"], ["card0"], ["card0-eDP-1", "card1-DSI-1"]])
    func `without the one panel of the machine the signal is unknown`(names: [String]) throws {
        for name in names { try connect(name) }
        #expect(try signal() == nil)
    }

    @Test func `a connector without a panel does not count`() throws {
        try connect("card0-DSI-1", "disconnected")
        try connect("card0-DSI-2", dpms: "Off")
        #expect(try signal() == false)
    }

    @Test func `a device that is not a connector does not count`() throws {
        try tree.link("class/backlight/amdgpu_bl1/device", to: "../../../0000:00:02.0")
        try connect("card0-eDP-1")
        #expect(try signal() == true)
    }
}
