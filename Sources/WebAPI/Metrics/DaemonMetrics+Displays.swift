// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import Support

extension DaemonMetrics {
    /// Writes the states of the displays, and the writes to their panels.
    func write(_ displays: [DisplayState], to exposition: inout Exposition) {
        let labels: [Exposition.Labels] = displays.map { ["display": $0.id.text] }
        /// - Parameter value: `nil` for a display without a sample.
        func each(_ family: StaticString, _ help: StaticString, _ value: (DisplayState) -> Double?) {
            exposition.family(family, help)
            for (state, labels) in zip(displays, labels) {
                if let value = value(state) { exposition.sample(value, labels) }
            }
        }

        exposition.family("brightnessd_display_info", "1, with kind and name of the display as labels.")
        for (state, labels) in zip(displays, labels) {
            exposition.sample(1, labels.adding("kind", state.kind.rawValue).adding("name", state.name))
        }
        each("brightnessd_display_brightness_ratio", "The effective brightness of a display, 0 to 1 of its own range.")
        {
            $0.brightness.fraction
        }
        each("brightnessd_display_baseline_ratio", "The brightness restored when the last boost and dim ends.") {
            $0.baseline.fraction
        }
        each(
            "brightnessd_display_available",
            "0 while a panel is unplugged, asleep or rejects a pending write, or its machine is offline."
        ) { $0.isAvailable ? 1 : 0 }
        each("brightnessd_display_automatic", "1 while automatic brightness is enabled, also while it is held.") {
            $0.automatic.isEnabled ? 1 : 0
        }
        each(
            "brightnessd_display_power",
            "1 while a panel is on, 0 while it is switched off. No sample if that is unknown."
        ) { state in state.power.isOn.map { $0 ? 1 : 0 } }
        exposition.family("brightnessd_leases", "Active leases by kind.")
        for (state, labels) in zip(displays, labels) {
            for kind in LeaseKind.allCases {
                exposition.sample(state.leases(of: kind)?.count ?? 0, labels.adding("kind", kind.rawValue))
            }
        }
        each("brightnessd_panel_writes_total", "Successful writes to a panel.") {
            service.writes(of: $0.id).map { Double($0.done) }
        }
        each("brightnessd_panel_write_failures_total", "Failed writes to a panel.") {
            service.writes(of: $0.id).map { Double($0.failed) }
        }
        each("brightnessd_ddc_writes_today", "Writes to a monitor on the day (UTC) of the last one.") {
            $0.writes.map { Double($0.today) }
        }
        each("brightnessd_ddc_writes_budget", "Maximum writes to a monitor per day.") {
            $0.writes.map { Double($0.budget) }
        }
    }
}
