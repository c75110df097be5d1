// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import Devices
import TestSupport
import Testing

@Suite struct SysfsLEDTests {
    let tree: SysfsTree
    let name = "tpacpi::kbd_backlight"
    let id: DisplayID
    let device: KernelName

    init() throws {
        tree = try SysfsTree(of: "leds")
        try tree.addDevice("tpacpi::kbd_backlight", brightness: 1, maximum: 2)
        id = try #require(DisplayID("tpacpi::kbd_backlight"))
        device = KernelName(id)
    }

    @Test func `an LED is a display of the kind led, opened by its name`() throws {
        let opened = try openDisplays([.led(device)], sysfsRoot: tree.root)
        let registration = try #require(opened.registrations.first)
        #expect(registration.panel.id == id)
        #expect(registration.panel.kind == .led)
        #expect(registration.panel.range == BrightnessRange(minimum: 0, maximum: 2))
        #expect(!registration.comesAndGoes)
        #expect(opened.notices.isEmpty)
        #expect(opened.backlightHotplug == nil)
    }

    @Test(arguments: [(0, 0), (0.5, 1)])
    func `a light can be switched off unless a minimum is configured`(minimum: Double, step: Int) throws {
        let panel = try SysfsLED(id, root: tree.root, minimum: Brightness(clamping: minimum))
        #expect(panel.range.step(for: Brightness(clamping: 0)) == step)
    }

    @Test func `an LED with a device tree name is opened by either name`() throws {
        try tree.addDevice("pmic@3:leds@d800", brightness: 5, maximum: 9)
        for name in ["led:pmic@3:leds@d800", "led:pmic_3:leds_d800"] {
            let selection = try #require(DisplaySelection(name))
            let panel = try #require(try openDisplays([selection], sysfsRoot: tree.root).registrations.first).panel
            #expect(panel.id.text == "pmic_3:leds_d800")
            #expect(try panel.read() == 5)
        }
    }

    @Test func `auto opens no LED`() throws {
        #expect(try openDisplays([.auto], sysfsRoot: tree.root).registrations.map(\.panel.kind) == [.simulated])
    }

    @Test(arguments: [
        ("none [timer] heartbeat\n", "timer"), ("[kbd-capslock]\n", "kbd-capslock"), ("[none] timer\n", nil),
        ("\n", nil),
        (String(repeating: "kbd-shiftlock ", count: 900) + "[cpu]\n", "cpu"),
    ])
    func `a trigger that controls the LED is reported`(file: String, trigger: String?) throws {
        try tree.set(file, name, "trigger")
        #expect(try SysfsLED(id, root: tree.root).trigger == trigger)
        let notices = try openDisplays([.led(device)], sysfsRoot: tree.root).notices
        #expect(notices == (trigger.map { [.triggered(id, by: $0)] } ?? []))
        #expect(notices.allSatisfy { !$0.isWarning })
    }

    @Test func `selecting a missing LED is an error that lists the available ones`() throws {
        let missing = try #require(KernelName("none"))
        let error = #expect(throws: SelectionError.self) { try openDisplays([.led(missing)], sysfsRoot: tree.root) }
        #expect(
            error?.description == """
                cannot use led:none: \(tree.path("none", "max_brightness")) does not exist. \
                Available displays: led:tpacpi::kbd_backlight
                """
        )
    }

    @Test func `an LED without write permission is opened with a warning`() throws {
        try tree.chmod(0o444, name, "brightness")
        let opened = try asOrdinaryUser { try openDisplays([.led(device)], sysfsRoot: tree.root) }
        #expect(opened.notices == [.unwritable(id, .permission(path: tree.path(name)))])
    }
}
