// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import BrightnessCore
@testable import Devices

@Suite struct OpenDisplaysTests {
    let tree: SysfsTree
    private var directory: String { "\(tree.root)/class/backlight" }

    init() throws { tree = try SysfsTree() }

    private func open(_ selections: String..., minimum: Double = 0) throws -> OpenedDisplays {
        try openDisplays(
            try selections.map { try #require(DisplaySelection($0)) },
            sysfsRoot: tree.root,
            minimum: Brightness(clamping: minimum)
        )
    }

    private func id(_ name: String) throws -> DisplayID { try #require(DisplayID(name)) }

    private func device(_ name: String) throws -> KernelName { try #require(KernelName(name)) }

    @Test(arguments: ["auto", "backlight:backlight@0", "backlight:backlight_0"])
    func `a backlight with a name from a device tree is opened by either name, and set in its own directory`(
        selection: String
    ) throws {
        try tree.addBacklight("backlight@0")
        let opened = try open(selection)
        let panel = try #require(opened.registrations.first).panel
        #expect(opened.notices.isEmpty)
        #expect(panel.id.text == "backlight_0")
        #expect(panel.kind == .backlight)
        try panel.write(7)
        #expect(try tree.read("backlight@0") == "7")
    }

    @Test func `a kernel name selects its own device, also if another device has an equal id`() throws {
        try tree.addBacklight("backlight_0")
        try tree.addBacklight("backlight@0")
        let opened = try open("backlight:backlight@0", "backlight:backlight_0")
        #expect(opened.registrations.map(\.panel.id.text) == ["backlight_0-2", "backlight_0"])
        #expect(opened.registrations.map(\.panel.name) == ["backlight@0", "backlight_0"])
    }

    @Test func `a kernel name excludes its own device, also if another device has an equal id`() throws {
        try tree.addBacklight("backlight_0")
        try tree.addBacklight("backlight@0")
        let opened = try openDisplays([], excluding: [try device("backlight@0")], sysfsRoot: tree.root)
        #expect(opened.registrations.map(\.panel.id.text) == ["backlight_0"])
    }

    // MARK: auto

    @Test(arguments: [[], ["auto"]])
    func `without a backlight a simulated display is served, with a notice of the reason`(selections: [String]) throws {
        let opened = try openDisplays(selections.compactMap(DisplaySelection.init), sysfsRoot: tree.root)
        let registration = try #require(opened.registrations.first)
        #expect(opened.registrations.count == 1)
        #expect(registration.panel.id.text == "simulated")
        #expect(registration.panel.name == "Simulated display")
        #expect(registration.panel.kind == .simulated)
        #expect(registration.queue is SimulatedQueue)
        #expect(opened.notices == [.simulated(insteadOf: directory)])
        #expect(
            opened.notices.map(\.description) == [
                "no backlight found under \(directory); serving a simulated display"
            ]
        )
        #expect(opened.notices.map(\.isWarning) == [false])
    }

    @Test func `without the backlight directory a simulated display is served`() throws {
        tree.removeAll("class")
        #expect(try open("auto").notices == [.simulated(insteadOf: directory)])
    }

    @Test func `a single backlight is the built-in display on its own queue`() throws {
        try tree.addBacklight("intel_backlight", maximum: 960)
        let opened = try open()
        let registration = try #require(opened.registrations.first)
        #expect(opened.registrations.count == 1)
        #expect(registration.panel.id.text == "intel_backlight")
        #expect(registration.panel.name == "Built-in display")
        #expect(registration.panel.kind == .backlight)
        #expect(registration.panel.range == BrightnessRange(minimum: 1, maximum: 960))
        #expect(registration.queue is SerialQueue)
        #expect(opened.notices.isEmpty)
        #expect(registration.comesAndGoes)
    }

    @Test(arguments: [
        (["raw", "raw"], ["d0", "d1"]),
        (["raw", "platform"], ["d1"]),
        (["platform", "firmware", "raw", "firmware"], ["d1", "d3"]),
        (["unknown", "raw"], ["d1"]),
        (["unknown"], ["d0"]),
    ])
    func `auto opens all backlights of the best type`(types: [String], taken: [String]) throws {
        for (number, type) in types.enumerated() { try tree.addBacklight("d\(number)", type: type) }
        let opened = try open("auto")
        #expect(opened.registrations.map(\.panel.id.text) == taken)
        #expect(opened.registrations.map(\.panel.name) == (taken.count == 1 ? ["Built-in display"] : taken))
        #expect(opened.notices.count == types.count - taken.count)
    }

    @Test func `an unused backlight is reported with the option that selects it`() throws {
        try tree.addBacklight("acpi_video0", type: "firmware")
        try tree.addBacklight("intel_backlight", type: "raw")
        let opened = try open()
        #expect(opened.notices.map(\.isWarning) == [false])
        #expect(
            opened.notices.map(\.description) == [
                """
                skipping the backlight intel_backlight of type raw in favour of one of type firmware; \
                --display backlight:intel_backlight selects it
                """
            ]
        )
    }

    @Test(arguments: ["dim", "7628"])
    func `no simulated display stands in for a backlight that cannot be read`(step: String) throws {
        try tree.addBacklight("broken", maximum: 255)
        try tree.set("\(step)\n", "broken")
        let opened = try open("auto")
        #expect(opened.registrations.isEmpty)
        #expect(opened.backlightHotplug?.standIn == nil)
        #expect(opened.notices.map(\.isWarning) == [true])
        #expect(
            opened.notices.map(\.description) == [
                "skipping the backlight broken: \(tree.path("broken")): invalid value \"\(step)\""
            ]
        )
    }

    @Test func `a backlight without write permission is opened with a warning that names the remedy`() throws {
        try tree.addBacklight("intel_backlight", brightness: 300)
        try tree.chmod(0o444, "intel_backlight", "brightness")
        let opened = try asOrdinaryUser { try open() }
        #expect(opened.registrations.map(\.panel.id.text) == ["intel_backlight"])
        #expect(opened.notices.map(\.isWarning) == [true])
        #expect(
            opened.notices.map(\.description) == [
                """
                intel_backlight is read-only: no permission to write \(tree.path("intel_backlight")). Install the udev \
                rule and add the user to the group "video", or mount the file writable into the container (brightnessd \
                probe shows the commands)
                """
            ]
        )
        #expect(try tree.read("intel_backlight") == "300\n")
    }

    // MARK: by name

    @Test func `selected displays keep their order and their names`() throws {
        try tree.addBacklight("b")
        try tree.addBacklight("a", type: "firmware")
        let opened = try open("simulated:lobby", "backlight:b", "simulated", "backlight:a")
        #expect(opened.registrations.map(\.panel.id.text) == ["lobby", "b", "simulated", "a"])
        #expect(opened.registrations.map(\.panel.name) == ["Simulated display lobby", "b", "Simulated display", "a"])
        #expect(opened.notices.isEmpty)
    }

    @Test func `simulated displays need no sysfs`() throws {
        tree.removeAll("class/backlight")
        try tree.makeDirectory("class/backlight")
        try tree.addBacklight("broken")
        try tree.set("dim\n", "broken")
        let opened = try open("simulated")
        #expect(opened.registrations.map(\.panel.id.text) == ["simulated"])
        #expect(opened.notices.isEmpty)
    }

    @Test(arguments: [(0, 1, 1), (0.05, 50, 48), (0.5, 500, 480), (1, 1_000, 960)])
    func `the minimum applies to every display`(minimum: Double, simulated: Int, backlight: Int) throws {
        try tree.addBacklight("a", maximum: 960)
        let opened = try open("simulated", "backlight:a", minimum: minimum)
        #expect(opened.registrations.map(\.panel.range.minimum) == [simulated, backlight])
    }

    @Test func `selecting a missing backlight is an error that lists the available ones`() throws {
        try tree.addBacklight("b")
        try tree.addBacklight("a")
        let missing = DeviceError.absent(path: tree.path("c", "max_brightness"))
        let error = #expect(throws: SelectionError.self) { try open("backlight:c") }
        #expect(
            error
                == .unusable(
                    .backlight(try device("c")),
                    missing,
                    present: [.backlight(try device("a")), .backlight(try device("b"))]
                )
        )
        #expect(
            error?.description == """
                cannot use backlight:c: \(tree.path("c", "max_brightness")) does not exist. \
                Available displays: backlight:a, backlight:b
                """
        )
    }

    @Test func `selecting an unreadable backlight is an error that states that none is available`() throws {
        try tree.addBacklight("a")
        try tree.set("dim\n", "a")
        let error = #expect(throws: SelectionError.self) { try open("backlight:a") }
        #expect(
            error?.description == """
                cannot use backlight:a: \(tree.path("a")): invalid value "dim". \
                No display of this kind is available; --display simulated needs no hardware
                """
        )
    }

    @Test(arguments: [
        (["backlight:a", "backlight:a"], "a"),
        (["auto", "backlight:a"], "a"),
        (["auto", "auto"], "a"),
        (["simulated:a", "backlight:a"], "a"),
        (["simulated", "simulated:simulated"], "simulated"),
    ])
    func `selecting a display twice is an error`(selections: [String], twice: String) throws {
        try tree.addBacklight("a")
        let chosen = try selections.map { try #require(DisplaySelection($0)) }
        let error = #expect(throws: SelectionError.self) { try openDisplays(chosen, sysfsRoot: tree.root) }
        #expect(error == .twice(twice))
        #expect(error?.description == "--display selects \(twice) twice")
    }

    @Test(arguments: [["auto", "simulated"], ["simulated", "auto"]])
    func `auto needs no simulated display next to another selection`(selections: [String]) throws {
        let opened = try open(selections, pairs: [])
        #expect(opened.registrations.map(\.panel.id.text) == ["simulated"])
        #expect(opened.standIn == nil)
    }

    // MARK: Pairs

    private func open(
        _ selections: [String],
        pairs: [String],
        goingOnFrom earlier: [DisplayRecord] = []
    ) throws -> OpenedDisplays {
        try openDisplays(
            try selections.map { try #require(DisplaySelection($0)) },
            pairs: try pairs.map { try #require(DisplayPair($0)) },
            goingOnFrom: Dictionary(
                uniqueKeysWithValues: earlier.map { ($0.id, RecoveredRecord($0, isOfThisBoot: true)) }
            ),
            sysfsRoot: tree.root
        )
    }

    @Test func `a pair takes the place of its parts, which are opened for it unless they are open`() throws {
        try tree.addBacklight("a")
        let opened = try open(["auto"], pairs: ["desk=backlight:a+simulated:b"])
        #expect(opened.registrations.map(\.panel.id.text) == ["desk"])
        let pair = opened.registrations[0].panel
        #expect((pair.kind, pair.isSwitchable) == (.backlight, true))
        #expect(opened.simulated.map(\.id.text) == ["b"])
        #expect(opened.notices == [])
        #expect(opened.backlightHotplug?.taken.isSuperset(of: ["a", "b", "desk"].compactMap { DisplayID($0) }) == true)
        #expect(opened.includes(try id("desk")))
    }

    @Test func `a pair takes the place of the display that is simulated for want of one`() throws {
        let opened = try open([], pairs: ["desk=simulated:a+simulated:b"])
        #expect(opened.registrations.map(\.panel.id.text) == ["desk"])
        #expect(opened.backlightHotplug?.standIn == nil)
    }

    @Test func `a pair waits for parts that have not come`() throws {
        let opened = try open(["simulated:a"], pairs: ["lobby=page+a"])
        #expect(opened.registrations.isEmpty)
        #expect(opened.notices.map(\.description) == ["lobby waits for page (--pair)"])
        #expect(try opened.includes(id("lobby")))
        #expect(try !opened.includes(id("page")))
    }

    @Test(arguments: [["simulated:a"], ["none"]])
    func `a pair of an earlier run is served before its parts have come`(selections: [String]) throws {
        let record = DisplayRecord(id: try id("lobby"), maximum: 100, baseline: .full, baselineStep: 100)
        let opened = try open(selections, pairs: ["lobby=page+a"], goingOnFrom: [record])
        #expect(opened.registrations.map(\.panel.id.text) == ["lobby"])
        #expect(opened.notices.first?.description == "lobby waits for page (--pair)")
    }

    @Test func `a pair whose second part cannot be switched is served with a warning`() throws {
        try tree.addBacklight("b")
        let opened = try open(["none"], pairs: ["desk=simulated:a+backlight:b"])
        #expect(opened.registrations.map(\.panel.id.text) == ["desk"])
        #expect(opened.notices.last == .pairUnswitchable(try id("desk"), try id("b")))
        #expect(opened.notices.last?.isWarning == true)
    }

    @Test(arguments: [
        (["x=a+a"], "--pair uses a twice"),
        (["x=a+b", "y=b+c"], "--pair uses b twice"),
        (["x=simulated:a+b", "y=c+a"], "--pair uses a twice"),
        (["a=b+c"], "--pair a: another display has this id"),
        (["x=a+b", "x=c+d"], "--pair x: another display has this id"),
        (["x=x+b"], "--pair x: another display has this id"),
        (["x=y+b", "y=c+d"], "--pair y: another display has this id"),
        (["x=a+backlight:gone"], "cannot use backlight:gone: "),
    ])
    func `a pair that cannot be is an error`(pairs: [String], message: String) throws {
        let error = #expect(throws: SelectionError.self) { try open(["simulated:a"], pairs: pairs) }
        #expect(error?.description.hasPrefix(message) == true)
    }

    @Test func `none opens no display`() throws {
        try tree.addBacklight("a")
        let opened = try open("none")
        #expect(opened.registrations.isEmpty)
        #expect(opened.backlightHotplug == nil)
        #expect(opened.notices.isEmpty)
    }

    @Test(arguments: ["auto", "backlight:a"])
    func `an unreadable backlight directory is an error, not a simulated display`(selection: String) throws {
        tree.removeAll("class/backlight")
        try tree.link("class/backlight", to: "/dev/null")
        let error = #expect(throws: SelectionError.self) { try open(selection) }
        #expect(error?.description == "cannot list the backlights: \(directory): Not a directory (errno 20)")
    }
}
