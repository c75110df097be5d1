// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import Devices
import Glibc
import TestSupport
import Testing

/// Faults of a backlight, on real files.
@Suite struct BacklightTroubleTests {
    let tree: SysfsTree
    let id: DisplayID

    init() throws {
        tree = try SysfsTree()
        id = try #require(DisplayID("intel_backlight"))
    }

    private func open() throws -> SysfsBacklight { try SysfsBacklight(id, root: tree.root) }

    private var path: String { tree.path("intel_backlight") }

    @Test func `a missing backlight is absent`() {
        #expect(throws: DeviceError.absent(path: tree.path("intel_backlight", "max_brightness"))) { try open() }
    }

    @Test func `an unplugged backlight is absent, is not created by a write, and works when it returns`() throws {
        try tree.addBacklight("intel_backlight", brightness: 100)
        let panel = try open()
        tree.removeBacklight("intel_backlight")
        #expect(throws: DeviceError.absent(path: path)) { try panel.read() }
        #expect(throws: DeviceError.absent(path: path)) { try panel.write(5) }

        try tree.addBacklight("intel_backlight", brightness: 200)
        tree.remove("intel_backlight", "brightness")
        #expect(throws: DeviceError.absent(path: path)) { try panel.write(5) }
        #expect(access(path, F_OK) == -1)

        try tree.set("200\n", "intel_backlight")
        #expect(try panel.read() == 200)
        try panel.write(5)
        #expect(try tree.read("intel_backlight") == "5")
    }

    @Test func `a link to a removed device is absent`() throws {
        try tree.addBacklight("intel_backlight")
        let panel = try open()
        tree.removeAll("devices/intel_backlight")
        #expect(throws: DeviceError.absent(path: path)) { try panel.read() }
    }

    @Test func `without write permission a backlight is readable, and reports it without a write`() throws {
        try tree.addBacklight("intel_backlight", brightness: 300)
        let panel = try open()
        #expect(panel.writeRefusal == nil)
        try tree.chmod(0o444, "intel_backlight", "brightness")
        try asOrdinaryUser {
            let step = try panel.read()
            #expect(step == 300)
            #expect(panel.writeRefusal == .permission(path: path))
            #expect(throws: DeviceError.permission(path: path)) { try panel.write(5) }
        }
        #expect(try tree.read("intel_backlight") == "300\n")
    }

    @Test func `without read permission a backlight reports the permission`() throws {
        try tree.addBacklight("intel_backlight")
        let panel = try open()
        try tree.chmod(0, "intel_backlight", "brightness")
        try asOrdinaryUser {
            #expect(throws: DeviceError.permission(path: path)) { try panel.read() }
        }
    }

    @Test func `a directory in place of a file is an I/O error`() throws {
        try tree.addBacklight("intel_backlight")
        let panel = try open()
        try tree.replaceByDirectory("intel_backlight", "brightness")
        #expect(throws: DeviceError.io(path: path, errno: EISDIR)) { try panel.read() }
        #expect(throws: DeviceError.io(path: path, errno: EISDIR)) { try panel.write(5) }
    }

    @Test func `a failed write reports the error number`() throws {
        try tree.addBacklight("intel_backlight")
        let panel = try open()
        try tree.replaceByLink(to: "/dev/full", "intel_backlight", "brightness")
        #expect(throws: DeviceError.io(path: path, errno: ENOSPC)) { try panel.write(5) }
    }

    @Test func `every opened file is closed`() throws {
        try tree.addBacklight("intel_backlight")
        let panel = try open()
        try panel.write(try panel.read())
        try tree.replaceByLink(to: "../other", "intel_backlight", "brightness")
        try tree.makeDirectory("devices/other")
        #expect(throws: DeviceError.self) { try panel.read() }
        try tree.set("", "intel_backlight", "max_brightness")
        #expect(throws: DeviceError.self) { try open() }
        #expect(tree.openFiles() == [])
    }
}
