// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import Devices
import Glibc
import TestSupport
import Testing

@Suite struct BacklightDiscoveryTests {
    let tree: SysfsTree

    init() throws { tree = try SysfsTree() }

    @Test func `an empty directory has no backlights`() throws {
        let found = try BacklightDiscovery(root: tree.root)
        #expect(found.backlights.isEmpty)
        #expect(found.skipped.isEmpty)
    }

    @Test(arguments: ["class/backlight", "class"])
    func `a missing directory has no backlights`(missing: String) throws {
        tree.removeAll(missing)
        #expect(try BacklightDiscovery(root: tree.root).backlights.isEmpty)
    }

    @Test func `the best type comes first, then the name`() throws {
        for (name, type) in [
            ("b_raw", "raw"), ("z_firmware", "firmware"), ("a_raw", "raw"), ("m_platform", "platform"),
            ("a_strange", "quantum"), ("a_firmware", "firmware"),
        ] {
            try tree.addBacklight(name, type: type)
        }
        try tree.addBacklight("a_old", type: nil)
        let found = try BacklightDiscovery(root: tree.root)
        #expect(
            found.backlights.map { "\($0.id) \($0.type)" } == [
                "a_firmware firmware", "z_firmware firmware", "m_platform platform", "a_raw raw", "b_raw raw",
                "a_old unknown", "a_strange unknown",
            ]
        )
        #expect(found.skipped.isEmpty)
    }

    @Test func `an unusable backlight is reported with its reason and hides no other`() throws {
        try tree.addBacklight("good")
        try tree.addBacklight("no_maximum")
        tree.remove("no_maximum", "max_brightness")
        try tree.addBacklight("no_number")
        try tree.set("dim\n", "no_number")
        try tree.addBacklight("too_bright", brightness: 11, maximum: 10)
        try tree.addBacklight("zero", brightness: 0, maximum: 0)
        try tree.addBacklight("gone")
        tree.removeAll("devices/gone")
        try tree.addBacklight("broken")
        try tree.replaceByDirectory("broken", "brightness")

        let found = try BacklightDiscovery(root: tree.root)
        #expect(found.backlights.map(\.id.text) == ["good"])
        #expect(
            found.skipped.map(\.name) == ["broken", "gone", "no_maximum", "no_number", "too_bright", "zero"]
        )
        #expect(
            found.skipped.map(\.error) == [
                .io(path: tree.path("broken"), errno: EISDIR),
                .absent(path: tree.path("gone", "max_brightness")),
                .absent(path: tree.path("no_maximum", "max_brightness")),
                .malformed(path: tree.path("no_number"), text: "dim"),
                .malformed(path: tree.path("too_bright"), text: "11"),
                .malformed(path: tree.path("zero", "max_brightness"), text: "0"),
            ]
        )
    }

    @Test func `a backlight of any name has an id, which equals the name if that is a valid id`() throws {
        for name in ["backlight@0", "backlight,0", "backlight_0", "all", "two words"] { try tree.addBacklight(name) }
        let found = try BacklightDiscovery(root: tree.root)
        #expect(found.skipped.isEmpty)
        #expect(
            Dictionary(uniqueKeysWithValues: found.backlights.map { ($0.device.text, $0.id.text) }) == [
                "backlight_0": "backlight_0", "backlight,0": "backlight_0-2", "backlight@0": "backlight_0-3",
                "all": "all_", "two words": "two_words",
            ]
        )
    }

    @Test func `a directory that cannot be listed is an error`() throws {
        let path = "\(tree.root)/class/backlight"
        tree.removeAll("class/backlight")
        try tree.link("class/backlight", to: "/dev/null")
        #expect(throws: DeviceError.io(path: path, errno: ENOTDIR)) { try BacklightDiscovery(root: tree.root) }
    }
}
