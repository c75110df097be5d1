// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import Devices

/// The report about panels.
@Suite struct ProbeTests {
    private let tree: SysfsTree

    init() throws { tree = try SysfsTree() }

    private func panels(kernel: String) -> ProbeReport.Table? {
        Probe(root: tree.root, helper: nil, kernel: kernel) { _ in }.run().tables.first
    }

    @Test(arguments: [
        ("7.0.0-28-generic", true), ("7.1.1-2-cachyos", true), ("6.12.57+deb13-amd64", false), ("7.10.1", false),
        ("17.0.1", false),
    ])
    func `a kernel whose drivers may do nothing is named`(kernel: String, isNamed: Bool) throws {
        try tree.addBacklight("intel_backlight")
        #expect(panels(kernel: kernel)?.remarks.contains { $0.contains(kernel) } == isNamed)
    }

    @Test func `a machine without a backlight has no remark about its kernel`() {
        #expect(panels(kernel: "7.0.0")?.remarks == [])
    }

    @Test(arguments: [
        ("in_illuminance_raw", "0", "It counts only after"), ("in_illuminance_raw", "5", nil),
        ("in_intensity_clear_raw", "5", "is not supported"),
    ])
    func `a light sensor that does not count is named`(file: String, text: String, remark: String?) throws {
        for folder in ["bus", "bus/iio", "bus/iio/devices", "bus/iio/devices/iio:device0"] {
            try tree.makeDirectory(folder)
        }
        try tree.write("\(text)\n", "bus/iio/devices/iio:device0/\(file)")
        let report = Probe(root: tree.root, helper: nil, kernel: "6.1") { _ in }.run()
        let table = report.tables.first { $0.title.hasPrefix("Light") }
        #expect(table?.remarks.contains { $0.hasPrefix("iio:device0 ") } == (remark != nil))
        if let remark { #expect(table?.remarks.contains { $0.contains(remark) } == true) }
    }

    @Test func `a lit panel without a picture is reported`() throws {
        try tree.addBacklight("intel_backlight")
        try tree.makeDirectory("class/drm")
        try tree.makeDirectory("class/drm/card0-eDP-1")
        try tree.write("connected\n", "class/drm/card0-eDP-1/status")
        for (dpms, power) in [("On", "on"), ("Off", "on, no signal")] {
            try tree.write("\(dpms)\n", "class/drm/card0-eDP-1/dpms")
            #expect(panels(kernel: "6.1")?.rows.first?.contains(power) == true)
        }
    }
}
