// SPDX-License-Identifier: Apache-2.0
import BrightnessCore

extension Probe {
    /// Searches the buses and reads each monitor that is awake, which takes seconds. Where there is no bus nobody is asked.
    func probeMonitors(_ report: inout ProbeReport) {
        var table = ProbeReport.Table("Monitors over DDC/CI", ["display", "name", "bus", "now", "can be set"])
        defer { report.tables.append(table) }
        guard MonitorSource.hasBus(sysfsRoot: root) else { return }
        guard let helper = helper.map({ DDCHelper(path: $0, sysfsRoot: root) }) else {
            table.remarks.append(MonitorNote.noHelper.description)
            return
        }
        tell("searching the i2c buses for monitors, which takes seconds")
        do throws(DeviceError) {
            for found in try helper.detect() {
                tell("reading \(found.name)")
                table.rows.append(row(of: found, by: helper, &report))
            }
            if table.rows.isEmpty { table.remarks.append(MonitorNote.none.description) }
        } catch {
            table.remarks.append(MonitorNote.helper(error).description)
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
                (now, canBeSet) = ("asleep", "when it wakes")
            } else {
                (now, canBeSet) = ("unreadable", "no")
            }
        }
        return ["ddc:\(found.id)", found.name, "i2c-\(found.bus)", now, canBeSet]
    }
}
