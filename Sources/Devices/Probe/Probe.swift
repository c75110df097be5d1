// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import Glibc

/// Lists panels, monitors, televisions, sensors, buses and input devices, and the missing permissions. Changes nothing.
package struct Probe {
    let root: String
    let helper: String?
    private let kernel: String
    let progress: (String) -> Void

    /// - Parameters:
    ///   - root: The mount point of sysfs.
    ///   - helper: The path of brightness-ddc; `nil` if it is not installed.
    ///   - progress: Receives the steps that take time.
    package init(
        root: String = "/sys",
        helper: String? = MonitorSource.program,
        kernel: String = Self.release,
        progress: @escaping (String) -> Void
    ) {
        self.root = root
        self.helper = helper
        self.kernel = kernel
        self.progress = progress
    }

    /// Returns the report. Blocks while devices are read.
    package func run() -> ProbeReport {
        var report = ProbeReport()
        probePanels(&report)
        probeMonitors(&report)
        probeTelevisions(&report)
        let hasDisplays = !report.tables.allSatisfy(\.rows.isEmpty)
        probeSensors(&report)
        probeBuses(&report)
        if report.tables.allSatisfy(\.rows.isEmpty) {
            report.advise(
                "No device was found. An external monitor needs its I2C bus: sudo modprobe i2c-dev (at every start: "
                    + "echo i2c-dev | sudo tee /etc/modules-load.d/i2c-dev.conf), then run this again."
            )
            report.advise(
                "Without a display, brightnessd serve shows a simulated one; --display simulated shows one on any "
                    + "machine."
            )
        }
        if !hasDisplays {
            report.advise(
                "A screen without a backlight, such as a television, can be darkened by the page that it shows, or "
                    + "switched by a command: docs/how-to/no-backlight.md, and \"brightness provide --help\"."
            )
        }
        // Last: nearly every machine has some, and no display needs them.
        probeInput(&report)
        return report
    }

    // MARK: Panels

    private func probePanels(_ report: inout ProbeReport) {
        var table = ProbeReport.Table(
            title: "Panels under \(root)",
            headings: ["display", "type", "now", "scale", "power", "can be set", "used by auto"]
        )
        do throws(DeviceError) {
            let found = try BacklightDiscovery(root: root)
            for backlight in found.backlights {
                let isBest = backlight.type == found.backlights.first?.type
                table.rows.append(row(of: backlight, isBest: isBest, &report))
            }
            table.remarks += found.skipped.map { DiscoveryNotice.skipped($0).description }
            table.remarks += found.backlights.compactMap { Self.remark(on: $0.id, $0.device) }
            if !found.backlights.isEmpty, let remark = remarkOnKernel { table.remarks.append(remark) }
        } catch {
            table.remarks.append("Listing the backlights failed: \(error.logText)")
        }
        let directory = SysfsLED.directory(under: root)
        let devices = (try? SysfsDirectory(path: directory).devices) ?? []
        let ids = DeviceIDs(of: devices)
        let leds = devices.compactMap { device in
            ids[device].flatMap { try? SysfsLED($0, device: device, root: root) }
        }
        let lights = leds.filter { $0.range.maximum > 1 || $0.device.text.hasSuffix("backlight") }
        for led in lights { table.rows.append(row(of: led, &report)) }
        table.remarks += lights.compactMap { Self.remark(on: $0.id, $0.device) }
        if leds.count > lights.count {
            table.remarks.append("LEDs with only on and off are not shown: \(leds.count - lights.count).")
        }
        report.tables.append(table)
    }

    /// A kernel of which some drivers store the brightness and do not set it.
    ///
    /// - SeeAlso: linuxmint/linuxmint#895, CachyOS/linux-cachyos#898
    private var remarkOnKernel: String? {
        guard ["7.0.", "7.1."].contains(where: kernel.hasPrefix) else { return nil }
        return "Kernels 7.0 and 7.1, here \(kernel), accept the brightness of some panels and do nothing: if the "
            + "screen stays as it is, start another kernel."
    }

    /// Such as `6.12.57+deb13-amd64`.
    package static var release: String {
        var name = utsname()
        uname(&name)
        return withUnsafeBytes(of: name.release) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }

    private static func remark(on id: DisplayID, _ device: KernelName) -> String? {
        id.text == device.text ? nil : "\(id) has the kernel name \(device)."
    }

    private func row(
        of backlight: BacklightDiscovery.Backlight,
        isBest: Bool,
        _ report: inout ProbeReport
    ) -> [String] {
        let directory = "\(SysfsBacklight.directory(under: root))/\(backlight.device)"
        func text(_ name: String) -> String? { try? SysfsAttribute(path: "\(directory)/\(name)").text() }
        let isOn = text("bl_power").map { $0 == "0" } ?? true
        let hasSignal = PanelConnector(of: directory, root: root)?.hasSignal ?? true
        let power = isOn ? (hasSignal ? "on" : "on, no signal") : "off"
        return ["backlight:\(backlight.id)", "\(backlight.type)", now(directory), text("scale") ?? "unknown", power]
            + [
                access(to: directory, of: "backlight:\(backlight.id)", subsystem: "backlight", &report),
                isBest ? "yes" : "no",
            ]
    }

    private func row(of led: SysfsLED, _ report: inout ProbeReport) -> [String] {
        let directory = "\(SysfsLED.directory(under: root))/\(led.device)"
        let trigger = led.trigger.map { "set by \($0)" } ?? "on"
        return ["led:\(led.id)", "led", now(directory), "unknown", trigger]
            + [access(to: directory, of: "led:\(led.id)", subsystem: "leds", &report), "no"]
    }

    private func now(_ directory: String) -> String {
        guard let steps = try? SysfsSteps(directory: directory, minimum: Brightness(clamping: 0)),
            let step = try? steps.read()
        else { return "unreadable" }
        return Self.text(of: step, in: steps.range)
    }

    /// Such as `60 of 120, 50 %`.
    static func text(of step: Int, in range: BrightnessRange) -> String {
        "\(step) of \(range.maximum), \(Int((range.brightness(of: step).fraction * 100).rounded())) %"
    }

    private func access(
        to directory: String,
        of name: String,
        subsystem: String,
        _ report: inout ProbeReport
    ) -> String {
        let access = FileAccess(to: "\(directory)/brightness")
        if let remedy = access.remedy(for: name, subsystem: subsystem) { report.advise(remedy) }
        if access == .allowed { report.isUsable = true }
        return access == .allowed ? "yes" : "no"
    }

    // MARK: Sensors

    private func probeSensors(_ report: inout ProbeReport) {
        let directory = "\(root)/bus/iio/devices"
        var table = ProbeReport.Table(
            title: "Light and proximity sensors",
            headings: ["device", "name", "reading", "now"]
        )
        for device in SysfsDirectory(path: directory).names {
            let files = SysfsDirectory(path: "\(directory)/\(device)").names
            let name = try? SysfsAttribute(path: "\(directory)/\(device)/name").text()
            for file in files where Self.isReading(file) {
                let text = try? SysfsAttribute(path: "\(directory)/\(device)/\(file)").text()
                table.rows.append([device, name ?? "", file, text ?? "unreadable"])
                if text == "0", !file.hasPrefix("in_proximity") {
                    table.remarks.append("\(device) reads 0. It counts only after it has read something else.")
                }
            }
            if files.contains(where: { $0.hasPrefix("in_intensity_clear") }), !files.contains(where: Self.isLight) {
                table.remarks.append("\(device) is not supported: its values for clear light have no unit.")
            }
        }
        if table.rows.isEmpty {
            table.remarks.append(
                "No light sensor. If a desktop on this machine adjusts the brightness itself, brightnessd estimates "
                    + "the light from that. Otherwise add a sensor: docs/how-to/light.md."
            )
        }
        report.tables.append(table)
    }

    private static func isReading(_ file: String) -> Bool {
        (isLight(file) || file.hasPrefix("in_proximity")) && (file.hasSuffix("_input") || file.hasSuffix("_raw"))
    }

    private static func isLight(_ file: String) -> Bool {
        file.hasPrefix("in_illuminance") || file.hasPrefix("in_intensity_both")
    }

    // MARK: Buses

    private func probeBuses(_ report: inout ProbeReport) {
        let directory = "\(root)/bus/i2c/devices"
        var table = ProbeReport.Table(title: "I2C buses (DDC/CI monitors)", headings: ["bus", "name", "usable"])
        for bus in SysfsDirectory(path: directory).names where bus.hasPrefix("i2c-") {
            let file = "/dev/\(bus)"
            let access = FileAccess(to: file)
            if access == .absent {
                report.advise(
                    """
                    \(file) is missing for \(bus): sudo modprobe i2c-dev (at every start: echo i2c-dev | sudo tee \
                    /etc/modules-load.d/i2c-dev.conf; in a container: --device \(file))
                    """
                )
            } else if let remedy = access.remedy(for: file, subsystem: "i2c-dev") {
                report.advise(remedy)
            }
            let name = try? SysfsAttribute(path: "\(directory)/\(bus)/name").text()
            table.rows.append([bus, name ?? "", access == .allowed ? "yes" : "no"])
        }
        report.tables.append(table)
    }

    /// Lists what `--idle-dim` and `--idle-sleep` observe. The remedy is a remark, not an entry below "To do": only
    /// these options need it, and a user who may read input devices can read passwords.
    func probeInput(_ report: inout ProbeReport) {
        var table = ProbeReport.Table(
            title: "Input devices (for --idle-dim and --idle-sleep)",
            headings: ["device", "name", "readable"]
        )
        let names = SysfsDirectory(path: "\(root)/class/input").names
        let found = names.map { InputDevice($0, sysfsRoot: root) }.filter(\.isUsedByPeople)
        for device in found.sorted(by: { ($0.name.count, $0.name) < ($1.name.count, $1.name) }) {
            let access = FileAccess(to: "/dev/input/\(device.name)", R_OK)
            table.rows.append([device.name, device.title?.plain(upTo: 64) ?? "", access == .allowed ? "yes" : "no"])
            if let remark = access.inputRemedy, !table.remarks.contains(remark) {
                table.remarks.append(remark)
            }
        }
        report.tables.append(table)
    }

    /// Searches the buses and reads each awake monitor, which takes seconds.
    func probeMonitors(_ report: inout ProbeReport) {
        var table = ProbeReport.Table(
            title: "Monitors over DDC/CI",
            headings: ["display", "name", "bus", "now", "can be set"]
        )
        defer { report.tables.append(table) }
        guard MonitorSource.hasBus(sysfsRoot: root) else { return }
        guard let helper = helper.map({ DDCHelper(path: $0, sysfsRoot: root) }) else {
            table.remarks.append(MonitorProblem.noHelper.description)
            return
        }
        progress("searching the I2C buses for monitors (takes seconds)")
        do throws(DeviceError) {
            for found in try helper.search().found {
                progress("reading \(found.name)")
                table.rows.append(row(of: found, by: helper, &report))
            }
            if table.rows.isEmpty { table.remarks.append(MonitorProblem.none.description) }
        } catch {
            table.remarks.append(MonitorProblem.helper(error).description)
        }
    }

    private func row(of found: DDCHelper.Found, by helper: DDCHelper, _ report: inout ProbeReport) -> [String] {
        let (now, canBeSet): (String, String)
        do throws(DeviceError) {
            let reading = try helper.read(found.id)
            guard let range = BrightnessRange(maximum: reading.maximum) else {
                throw .malformed(path: "ddc:\(found.id)", text: String(reading.maximum))
            }
            (now, canBeSet) = (Self.text(of: reading.step, in: range), "yes")
            report.isUsable = true
        } catch {
            if case .asleep = error {
                (now, canBeSet) = ("asleep", "when awake")
            } else {
                (now, canBeSet) = ("unreadable", "no")
            }
        }
        return ["ddc:\(found.id)", found.name, "i2c-\(found.bus)", now, canBeSet]
    }
}
