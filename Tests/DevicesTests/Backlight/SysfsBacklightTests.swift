// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import Devices
import TestSupport
import Testing

@Suite struct SysfsBacklightTests {
    let tree: SysfsTree
    let id: DisplayID

    init() throws {
        tree = try SysfsTree()
        id = try #require(DisplayID("intel_backlight"))
    }

    private func open(minimum: Double = 0) throws -> SysfsBacklight {
        try SysfsBacklight(id, root: tree.root, minimum: Brightness(clamping: minimum))
    }

    private var path: String { tree.path("intel_backlight") }
    private var limitPath: String { tree.path("intel_backlight", "max_brightness") }

    @Test func `a maximum that the driver raises while the daemon runs changes no brightness`() throws {
        let tree = try SysfsTree()
        try tree.addBacklight("amdgpu_bl0", brightness: 102, maximum: 255)
        let panel = try SysfsBacklight(DisplayID("amdgpu_bl0")!, root: tree.root)
        try tree.set("65535\n", "amdgpu_bl0", "max_brightness")
        try tree.set("26214\n", "amdgpu_bl0")
        #expect(try panel.read() == 102)
        for step in 0...255 {
            try panel.write(step)
            #expect(try panel.read() == step)
            #expect(try tree.read("amdgpu_bl0") == "\(step * 257)")
        }
    }

    @Test func `the name of a backlight is the kernel's unless another is given`() throws {
        try tree.addBacklight("intel_backlight")
        let (panel, named) = (try open(), try SysfsBacklight(id, root: tree.root, name: "Built-in display"))
        #expect(panel.id == id)
        #expect(panel.name == "intel_backlight")
        #expect(panel.kind == .backlight)
        #expect(named.id == id)
        #expect(named.name == "Built-in display")
    }

    @Test(arguments: [(1, 0.0, 1), (15, 0, 1), (15, 0.5, 8), (65_535, 0.05, 3_277), (960, 1, 960)])
    func `the range is the kernel's, above the guard`(maximum: Int, minimum: Double, step: Int) throws {
        try tree.addBacklight("intel_backlight", brightness: 1, maximum: maximum)
        #expect(try open(minimum: minimum).range == BrightnessRange(minimum: step, maximum: maximum))
    }

    @Test func `the step is the driver's setting, not the hardware's actual brightness`() throws {
        try tree.addBacklight("intel_backlight", brightness: 403, maximum: 960)
        try tree.set("7777\n", "intel_backlight", "actual_brightness")
        #expect(try open().read() == 403)
    }

    @Test(arguments: [("0\n", 0), ("960\n", 960), ("7", 7), ("007\n", 7)])
    func `the contents of the file are this step`(contents: String, step: Int) throws {
        try tree.addBacklight("intel_backlight", maximum: 960)
        try tree.set(contents, "intel_backlight")
        #expect(try open().read() == step)
    }

    static let malformed: [(contents: String, text: String)] = [
        ("", ""),
        ("\n", #"\n"#),
        ("abc\n", "abc"),
        ("-1\n", "-1"),
        ("+5\n", "+5"),
        ("0x10\n", "0x10"),
        ("1.5\n", "1.5"),
        ("4 03\n", "4 03"),
        (" 403\n", " 403"),
        ("403 \n", "403 "),
        ("403\n\n", #"403\n"#),
        ("403\r\n", #"403\r"#),
        ("4\u{0}3\n", #"4\03"#),
        ("٤\n", #"\u{0664}"#),
        ("961\n", "961"),
        ("2147483648\n", "2147483648"),
        ("99999999999999999999\n", "99999999999999999999"),
        (String(repeating: "1", count: 63), String(repeating: "1", count: 24) + "…"),
        (String(repeating: "0", count: 64), String(repeating: "0", count: 24) + "…"),
    ]

    @Test(arguments: malformed)
    func `the contents of the file are malformed`(contents: String, text: String) throws {
        try tree.addBacklight("intel_backlight", maximum: 960)
        let panel = try open()
        try tree.set(contents, "intel_backlight")
        #expect(throws: DeviceError.malformed(path: path, text: text)) { try panel.read() }
    }

    @Test func `a megabyte of digits is malformed`() throws {
        try tree.addBacklight("intel_backlight", maximum: 960)
        let panel = try open()
        try tree.set([UInt8](repeating: UInt8(ascii: "5"), count: 1_000_000), "intel_backlight")
        let text = String(repeating: "5", count: 24) + "…"
        #expect(throws: DeviceError.malformed(path: path, text: text)) { try panel.read() }
    }

    @Test func `bytes that are not UTF-8 are malformed`() throws {
        try tree.addBacklight("intel_backlight", maximum: 960)
        let panel = try open()
        try tree.set([0xFF, 0xFE, 0x34], "intel_backlight")
        #expect(throws: DeviceError.malformed(path: path, text: #"\u{FFFD}\u{FFFD}4"#)) { try panel.read() }
    }

    @Test(arguments: ["0\n", "-5\n", "", "many\n", "2147483648\n"])
    func `a backlight without a maximum of at least 1 is rejected`(contents: String) throws {
        try tree.addBacklight("intel_backlight")
        try tree.set(contents, "intel_backlight", "max_brightness")
        let error = #expect(throws: DeviceError.self) { try open() }
        guard case .malformed(limitPath, _) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test(arguments: [0, 1, 5, 960])
    func `a write is the decimal number without a line end`(step: Int) throws {
        try tree.addBacklight("intel_backlight", brightness: 123, maximum: 960)
        let panel = try open()
        try panel.write(step)
        #expect(try tree.read("intel_backlight") == String(step))
        #expect(try panel.read() == step)
    }

    @Test func `the maximum is read once, the step each time`() throws {
        try tree.addBacklight("intel_backlight", brightness: 1, maximum: 960)
        let panel = try open()
        try tree.set("10\n", "intel_backlight", "max_brightness")
        try tree.set("700\n", "intel_backlight")
        #expect(panel.range.maximum == 960)
        #expect(try panel.read() == 700)
    }
}
