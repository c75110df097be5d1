// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import Devices
import Glibc
import TestSupport
import Testing

/// What can go wrong with a backlight, done to real files.
@Suite struct BacklightTroubleTests {
    let tree: SysfsTree
    let id: DisplayID

    init() throws {
        tree = try SysfsTree()
        id = try #require(DisplayID("intel_backlight"))
    }

    private func open() throws -> SysfsBacklight { try SysfsBacklight(id, root: tree.root) }

    private var path: String { tree.path("intel_backlight") }

    @Test func `a backlight that is not there is absent`() {
        #expect(throws: DeviceError.absent(path: tree.path("intel_backlight", "max_brightness"))) { try open() }
    }

    @Test func `one that is unplugged is absent, is not made up by writing, and works when it is back`() throws {
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

    @Test func `a link whose device is gone is absent`() throws {
        try tree.addBacklight("intel_backlight")
        let panel = try open()
        tree.removeAll("devices/intel_backlight")
        #expect(throws: DeviceError.absent(path: path)) { try panel.read() }
    }

    @Test func `without the right to write it can be read, and says so without writing`() throws {
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

    @Test func `without the right to read it says permission`() throws {
        try tree.addBacklight("intel_backlight")
        let panel = try open()
        try tree.chmod(0, "intel_backlight", "brightness")
        try asOrdinaryUser {
            #expect(throws: DeviceError.permission(path: path)) { try panel.read() }
        }
    }

    @Test func `a directory in a file's place is an error of the system`() throws {
        try tree.addBacklight("intel_backlight")
        let panel = try open()
        try tree.replaceByDirectory("intel_backlight", "brightness")
        #expect(throws: DeviceError.io(path: path, errno: EISDIR)) { try panel.read() }
        #expect(throws: DeviceError.io(path: path, errno: EISDIR)) { try panel.write(5) }
    }

    @Test func `a write that the system refuses says why`() throws {
        try tree.addBacklight("intel_backlight")
        let panel = try open()
        try tree.replaceByLink(to: "/dev/full", "intel_backlight", "brightness")
        #expect(throws: DeviceError.io(path: path, errno: ENOSPC)) { try panel.write(5) }
    }

    @Test func `it lets go of every file it opens`() throws {
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
