// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import Devices
import TestSupport
import Testing

/// Power states in `bl_power`.
@Suite struct BacklightPowerTests {
    let tree: SysfsTree
    let id: DisplayID

    init() throws {
        tree = try SysfsTree()
        try tree.addBacklight("intel_backlight")
        id = try #require(DisplayID("intel_backlight"))
    }

    private func panel() throws -> SysfsBacklight { try SysfsBacklight(id, root: tree.root) }

    @Test(arguments: [("0\n", true), ("1\n", false), ("2\n", false), ("3\n", false), ("4\n", false)])
    func `a backlight is on at 0, and its step can be read in any state`(power: String, isOn: Bool) throws {
        try tree.set(power, "intel_backlight", "bl_power")
        let panel = try panel()
        #expect(panel.isSwitchable)
        #expect(panel.readPower() == isOn)
        #expect(try panel.read() == 400)
        for wanted in [false, true] {
            try panel.writePower(wanted)
            #expect(panel.readPower() == wanted)
            #expect(try tree.read("intel_backlight", "bl_power") == (wanted ? "0" : "4"))
        }
    }

    @Test(arguments: [nil, "", "on\n", "-1\n", "5\n"])
    func `the power of a backlight without a power state is unknown and cannot be switched`(power: String?) throws {
        if let power { try tree.set(power, "intel_backlight", "bl_power") }
        let panel = try panel()
        #expect(panel.readPower() == nil)
        #expect(!panel.isSwitchable)
        #expect(try panel.read() == 400)
    }

    @Test func `a driver that only stores the value cannot be switched`() throws {
        try tree.addBacklight("acpi_video0")
        try tree.set("0\n", "acpi_video0", "bl_power")
        let video = try #require(DisplayID("acpi_video0"))
        #expect(try SysfsBacklight(video, root: tree.root).isSwitchable == false)
    }

    @Test func `a backlight that others switched off is available, and is written when it is on`() async throws {
        try tree.set("4\n", "intel_backlight", "bl_power")
        let opened = try openDisplays([.auto], sysfsRoot: tree.root)
        #expect(opened.notices.isEmpty)
        let service = try DisplayService(opened.registrations, poster: NotificationHub().poster, at: .start)
        #expect(service.state(of: id)?.isAvailable == true)
        #expect(service.state(of: id)?.power.isOn == false)
        let set = Command(.set(.fraction(Brightness(clamping: 0.7))))
        #expect(try await service.perform(set, on: id, at: .start).get().state.power.isOn == false)
        #expect(try tree.read("intel_backlight") == "400\n")
        try tree.set("0\n", "intel_backlight", "bl_power")
        #expect(try await service.perform(Command(.refresh()), on: id, at: .start).get().state.power.isOn == true)
        #expect(try tree.read("intel_backlight") == "700")
    }
}
