// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import Devices
import TestSupport
import Testing

@Suite struct SysfsLEDTests {
    let tree: SysfsTree
    let name = "tpacpi::kbd_backlight"
    let id: DisplayID

    init() throws {
        tree = try SysfsTree(of: "leds")
        try tree.addDevice("tpacpi::kbd_backlight", brightness: 1, maximum: 2)
        id = try #require(DisplayID("tpacpi::kbd_backlight"))
    }

    @Test func `it is a display of its own kind, opened by its name`() throws {
        let opened = try openDisplays([.led(id)], sysfsRoot: tree.root)
        let seat = try #require(opened.seats.first)
        #expect(seat.panel.id == id)
        #expect(seat.panel.kind == .led)
        #expect(seat.panel.range == BrightnessRange(minimum: 1, maximum: 2))
        #expect(!seat.comesAndGoes)
        #expect(opened.notes.isEmpty)
        #expect(opened.finder == nil)
    }

    @Test func `auto takes none`() throws {
        #expect(try openDisplays([.auto], sysfsRoot: tree.root).seats.map(\.panel.kind) == [.simulated])
    }

    @Test(arguments: [
        ("none [timer] heartbeat\n", "timer"), ("[kbd-capslock]\n", "kbd-capslock"), ("[none] timer\n", nil),
        ("\n", nil),
        (String(repeating: "kbd-shiftlock ", count: 900) + "[cpu]\n", "cpu"),
    ])
    func `a trigger that sets it, too, is named`(file: String, trigger: String?) throws {
        try tree.set(file, name, "trigger")
        #expect(try SysfsLED(id, root: tree.root).trigger == trigger)
        let notes = try openDisplays([.led(id)], sysfsRoot: tree.root).notes
        #expect(notes == (trigger.map { [.triggered(id, by: $0)] } ?? []))
        #expect(notes.allSatisfy { !$0.isWarning })
    }

    @Test func `one that is not there is an error that says what there is`() throws {
        let missing = try #require(DisplayID("none"))
        let error = #expect(throws: SelectionError.self) { try openDisplays([.led(missing)], sysfsRoot: tree.root) }
        #expect(
            error?.description == """
                cannot use led:none: \(tree.path("none", "max_brightness")): not there. \
                Usable are: led:tpacpi::kbd_backlight
                """
        )
    }

    @Test func `one that this process may not set is taken, with a warning`() throws {
        try tree.chmod(0o444, name, "brightness")
        let opened = try asOrdinaryUser { try openDisplays([.led(id)], sysfsRoot: tree.root) }
        #expect(opened.notes == [.unwritable(id, .permission(path: tree.path(name)))])
    }
}
