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

    @Test(arguments: ["1\n", "2\n", "3\n", "4\n"])
    func `a backlight that is off is asleep, reports its step and is not written`(power: String) throws {
        try tree.set(power, "intel_backlight", "bl_power")
        let file = tree.path("intel_backlight", "bl_power")
        #expect(throws: DeviceError.asleep(path: file, step: 400)) { try panel().read() }
        #expect(throws: DeviceError.asleep(path: file)) { try panel().write(500) }
        #expect(try tree.read("intel_backlight") == "400\n")
        try tree.set("0\n", "intel_backlight", "bl_power")
        #expect(try panel().read() == 400)
    }

    @Test(arguments: [nil, "0\n", "", "on\n", "-1\n", "5\n"])
    func `a backlight without a power state is on`(power: String?) throws {
        if let power { try tree.set(power, "intel_backlight", "bl_power") }
        #expect(try panel().read() == 400)
        try panel().write(500)
        #expect(try tree.read("intel_backlight") == "500")
    }

    @Test func `a backlight that is off is still a display`() async throws {
        try tree.set("4\n", "intel_backlight", "bl_power")
        let opened = try openDisplays([.auto], sysfsRoot: tree.root)
        #expect(opened.notices.isEmpty)
        let service = try DisplayService(opened.registrations, poster: NotificationHub().poster, at: .start)
        #expect(service.state(of: id)?.isAvailable == false)
        let set = Command(.set(.fraction(Brightness(clamping: 0.7))))
        #expect(try await service.perform(set, on: id, at: .start).get().state.isAvailable == false)
        #expect(try tree.read("intel_backlight") == "400\n")
        try tree.set("0\n", "intel_backlight", "bl_power")
        #expect(try await service.perform(Command(.refresh()), on: id, at: .start).get().state.isAvailable)
        #expect(try tree.read("intel_backlight") == "700")
    }
}
