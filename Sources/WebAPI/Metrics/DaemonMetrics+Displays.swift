// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import Support

extension DaemonMetrics {
    /// Writes the states of the displays, and the writes to their panels.
    func write(_ displays: [DisplayState], to exposition: inout Exposition) {
        func each(
            _ family: StaticString,
            _ help: StaticString,
            _ body: (inout Exposition, DisplayState, _ labels: Exposition.Labels) -> Void
        ) {
            exposition.family(family, help)
            for (state, labels) in zip(displays, labels) { body(&exposition, state, labels) }
        }
        let labels: [Exposition.Labels] = displays.map { ["display": $0.id.text] }

        each("brightnessd_display_info", "1, with kind and name of the display as labels.") {
            $0.sample(1, $2.adding("kind", $1.kind.rawValue).adding("name", $1.name))
        }
        each("brightnessd_display_brightness_ratio", "The effective brightness of a display, 0 to 1 of its own range.")
        { $0.sample($1.brightness.fraction, $2) }
        each("brightnessd_display_baseline_ratio", "The brightness restored when the last boost and dim ends.") {
            $0.sample($1.baseline.fraction, $2)
        }
        each(
            "brightnessd_display_available",
            "0 while a panel is unplugged, asleep or rejects a pending write, or its machine is offline."
        ) { $0.sample($1.isAvailable, $2) }
        each("brightnessd_display_automatic", "1 while automatic brightness is enabled, also while it is held.") {
            $0.sample($1.automatic.isEnabled, $2)
        }
        each(
            "brightnessd_display_power",
            "1 while a panel is on, 0 while it is switched off. No sample if that is unknown."
        ) { exposition, state, labels in state.power.isOn.map { exposition.sample($0, labels) } }
        each("brightnessd_leases", "Active leases by kind.") { exposition, state, labels in
            for kind in LeaseKind.allCases {
                exposition.sample(state.leases(of: kind)?.count ?? 0, labels.adding("kind", kind.rawValue))
            }
        }
        each("brightnessd_panel_writes_total", "Successful writes to a panel.") { exposition, state, labels in
            service.writes(of: state.id).map { exposition.sample($0.done, labels) }
        }
        each("brightnessd_panel_write_failures_total", "Failed writes to a panel.") { exposition, state, labels in
            service.writes(of: state.id).map { exposition.sample($0.failed, labels) }
        }
        each("brightnessd_ddc_writes_today", "Writes to a monitor on the day (UTC) of the last one.") {
            exposition,
            state,
            labels in state.writes.map { exposition.sample($0.today, labels) }
        }
        each("brightnessd_ddc_writes_budget", "Maximum writes to a monitor per day.") { exposition, state, labels in
            state.writes.map { exposition.sample($0.budget, labels) }
        }
    }
}
