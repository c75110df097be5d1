// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import Devices
import Testing

@Suite struct DisplaySelectionTests {
    @Test(arguments: [
        ("auto", DisplaySelection.auto),
        ("none", .none),
        ("simulated", .simulated(nil)),
        ("cec:0", .cec(0)),
        ("cec:auto", .allTelevisions),
        ("simulated:lobby", .simulated(DisplayID("lobby"))),
    ])
    func `a text selects these displays`(text: String, selection: DisplaySelection) {
        #expect(DisplaySelection(text) == selection)
    }

    @Test(arguments: ["intel_backlight", "10-0045", "acpi:video0", "backlight", "a.b", "backlight@0", "a b", "all"])
    func `a backlight is selected by the kernel's name`(name: String) throws {
        let device = try #require(KernelName(name))
        #expect(DisplaySelection("backlight:\(name)") == .backlight(device))
    }

    @Test(arguments: [
        "", " ", "AUTO", " auto", "auto ", "auto:", "auto:x", "backlight", "backlight:", "backlight:..",
        "backlight:a/b", "backlight:a\n", "simulated:", "simulated:all", "simulated:status", "simulated:ä", "Simulated",
        "led:", "led:.",
        "cec", "cec:", "cec:-1", "cec:01", "cec:256", "cec:x", "ddc", "ddc:", "none:", "None",
        ":", ":x", "intel_backlight",
    ])
    func `an invalid selection is rejected`(text: String) {
        #expect(DisplaySelection(text) == nil)
    }

    @Test(arguments: [
        "auto", "simulated", "simulated:lobby", "backlight:acpi:video0", "led:tpacpi::kbd_backlight", "ddc:DEL-X-1",
        "backlight:backlight@0",
        "cec:1", "cec:auto", "none",
    ])
    func `the description of a selection is its text`(text: String) throws {
        #expect(try #require(DisplaySelection(text)).description == text)
    }
}
