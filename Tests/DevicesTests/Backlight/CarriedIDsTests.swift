// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import BrightnessCore
@testable import Devices

/// Backlights that the kernel has renamed.
@Suite struct CarriedIDsTests {
    struct Case: CustomTestStringConvertible {
        let testDescription: String
        let devices: [String: String]
        let earlier: [String: String]
        var carried: [String: String] = [:]
        var missing: [String] = []
    }

    @Test(arguments: [
        Case(testDescription: "as before", devices: ["a": "P"], earlier: ["a": "P"], carried: ["a": "a"]),
        Case(testDescription: "at another address", devices: ["a": "Q"], earlier: ["a": "P"]),
        Case(testDescription: "renamed", devices: ["b": "P"], earlier: ["a": "P"], carried: ["b": "a"]),
        Case(
            testDescription: "swapped",
            devices: ["a": "Q", "b": "P"],
            earlier: ["a": "P", "b": "Q"],
            carried: ["a": "b", "b": "a"]
        ),
        Case(
            testDescription: "the only new one, and the only missing one",
            devices: ["10-0045": "i2c-10", "other": "P"],
            earlier: ["rpi_backlight": "", "other": "P"],
            carried: ["10-0045": "rpi_backlight", "other": "other"]
        ),
        Case(testDescription: "without addresses", devices: ["b": ""], earlier: ["a": ""], carried: ["b": "a"]),
        Case(testDescription: "two are new", devices: ["b": "", "c": ""], earlier: ["a": ""], missing: ["a"]),
        Case(
            testDescription: "two are missing",
            devices: ["c": ""],
            earlier: ["a": "", "b": ""],
            missing: ["a", "b"]
        ),
        Case(
            testDescription: "two at one address",
            devices: ["c": "P", "d": "P"],
            earlier: ["a": "P"],
            missing: ["a"]
        ),
        Case(testDescription: "nothing is new", devices: ["a": ""], earlier: ["a": "", "b": ""], missing: ["b"]),
        Case(testDescription: "the first run", devices: ["a": "P"], earlier: [:]),
    ])
    func `a renamed backlight keeps its id`(example: Case) {
        func name(_ text: String) -> KernelName { KernelName(text)! }
        let carried = CarriedIDs(
            of: Dictionary(uniqueKeysWithValues: example.devices.map { (name($0), $1) }),
            candidates: Set(example.devices.keys.map(name)),
            after: Dictionary(uniqueKeysWithValues: example.earlier.map { (DisplayID($0)!, $1) })
        )
        let ids = Dictionary(uniqueKeysWithValues: carried.ids.map { ($0.text, $1.text) })
        #expect((ids, carried.missing.map(\.text)) == (example.carried, example.missing))
    }

    @Test(arguments: [
        ("pci0000:00/0000:05:00.0/drm/card1/card1-eDP-1/amdgpu_bl1", "pci0000:00/0000:05:00.0/eDP-1"),
        ("pci0000:00/0000:05:00.0/drm/card0/card0-eDP-1/amdgpu_bl0", "pci0000:00/0000:05:00.0/eDP-1"),
        ("platform/soc/1-0045/backlight/1-0045", "platform/soc/1-0045"), ("cardinal/a", "cardinal"), ("a", ""),
    ])
    func `the address of a backlight has no numbers of graphics cards`(link: String, address: String) throws {
        let tree = try SysfsTree()
        let device = try #require(link.split(separator: "/").last.flatMap { KernelName(String($0)) })
        try tree.link("class/backlight/\(device)", to: "../../devices/\(link)")
        #expect(SysfsBacklight.address(of: device, root: tree.root) == address)
    }

    private func open(_ tree: SysfsTree, after records: DisplayRecord..., by selection: DisplaySelection = .auto) throws
        -> OpenedDisplays
    {
        let earlier = records.map { ($0.id, RecoveredRecord($0, isOfThisBoot: false)) }
        return try openDisplays(
            [selection],
            goingOnFrom: Dictionary(uniqueKeysWithValues: earlier),
            sysfsRoot: tree.root
        )
    }

    private func record(_ id: String, mayBeDark: Bool = false) -> DisplayRecord {
        DisplayRecord(
            id: DisplayID(id)!,
            maximum: 255,
            baseline: .full,
            baselineStep: 255,
            mayBeDark: mayBeDark,
            device: DeviceRecord(address: "backlight:")
        )
    }

    @Test(arguments: [
        DisplaySelection.auto, .backlight(KernelName("amdgpu_bl0")!), .backlight(KernelName("amdgpu_bl1")!),
    ])
    func `a display has the id of the earlier run, by whichever name it is selected`(selection: DisplaySelection) throws
    {
        let tree = try SysfsTree()
        try tree.addBacklight("amdgpu_bl1", brightness: 100, maximum: 255)
        let opened = try open(tree, after: record("amdgpu_bl0"), by: selection)
        let panel = try #require(opened.registrations.first?.panel)
        #expect((opened.registrations.count, panel.id.text) == (1, "amdgpu_bl0"))
        try panel.write(50)
        #expect(try tree.read("amdgpu_bl1") == "50")
        #expect(opened.notices == [])
        #expect(panel.deviceRecord.address == "backlight:")
    }

    @Test func `a part of a pair has the id of the earlier run`() throws {
        let tree = try SysfsTree()
        try tree.addBacklight("amdgpu_bl1")
        let pair = try #require(DisplayPair("desk=backlight:amdgpu_bl0+simulated:b"))
        let part = record("amdgpu_bl0")
        var earlier = record("desk")
        earlier.device = DeviceRecord(parts: [part.id: part.device])
        let opened = try openDisplays(
            [.none],
            pairs: [pair],
            goingOnFrom: [pair.id: RecoveredRecord(earlier, isOfThisBoot: false)],
            sysfsRoot: tree.root
        )
        #expect(opened.registrations.map(\.panel.id) == [pair.id])
        #expect(opened.registrations.first?.panel.deviceRecord == earlier.device)
    }

    @Test func `a backlight that is missing is reported, and awaited if the earlier run has changed it`() throws {
        let tree = try SysfsTree()
        for name in ["b", "c"] { try tree.addBacklight(name) }
        let dark = record("a", mayBeDark: true)
        let opened = try open(tree, after: dark)
        #expect(opened.notices == [.missing(dark.id)])
        #expect(opened.notices.map(\.isWarning) == [false])
        #expect(opened.pending == [dark.id])
        #expect(try open(tree, after: record("a")).pending == [])
    }

    @Test func `a backlight that comes later has the id of the earlier run`() throws {
        let tree = try SysfsTree()
        var hotplug = try #require(try open(tree, after: record("amdgpu_bl0")).backlightHotplug)
        try tree.addBacklight("amdgpu_bl1")
        #expect(hotplug.search { _ in true }.registrations.map(\.panel.id.text) == ["amdgpu_bl0"])
    }
}
