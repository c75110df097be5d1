// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import Support

extension DaemonMetrics {
    /// Writes the states of the displays, and the writes to their panels.
    func write(_ displays: [DisplayState], to exposition: inout Exposition) {
        func each(_ body: (inout Exposition, DisplayState, _ labels: Exposition.Labels) -> Void) {
            for (state, labels) in zip(displays, labels) { body(&exposition, state, labels) }
        }
        let labels: [Exposition.Labels] = displays.map { ["display": $0.id.text] }

        exposition.family("brightnessd_display_info", .gauge, help: "1, with kind and name of the display as labels.")
        each { $0.sample(1, $2.adding("kind", $1.kind.rawValue).adding("name", $1.name)) }
        exposition.family(
            "brightnessd_display_brightness_ratio",
            .gauge,
            help: "The effective brightness of a display, 0 to 1 of its own range."
        )
        each { $0.sample($1.brightness.fraction, $2) }
        exposition.family(
            "brightnessd_display_baseline_ratio",
            .gauge,
            help: "The brightness restored when the last boost and dim ends."
        )
        each { $0.sample($1.baseline.fraction, $2) }
        exposition.family(
            "brightnessd_display_available",
            .gauge,
            help: "0 while a panel is unplugged, asleep or rejects a pending write, or its machine is offline."
        )
        each { $0.sample($1.isAvailable, $2) }
        exposition.family(
            "brightnessd_display_automatic",
            .gauge,
            help: "1 while automatic brightness is enabled, also while it is held."
        )
        each { $0.sample($1.automatic.isEnabled, $2) }
        exposition.family(
            "brightnessd_display_power",
            .gauge,
            help: "1 while a panel is on, 0 while it is switched off. No sample if that is unknown."
        )
        each { exposition, state, labels in state.power.isOn.map { exposition.sample($0, labels) } }
        exposition.family("brightnessd_leases", .gauge, help: "Active leases by kind.")
        each { exposition, state, labels in
            for kind in LeaseKind.allCases {
                exposition.sample(state.leases(of: kind)?.leases ?? 0, labels.adding("kind", kind.rawValue))
            }
        }
        exposition.family("brightnessd_panel_writes_total", .counter, help: "Successful writes to a panel.")
        each { exposition, state, labels in service.writes(of: state.id).map { exposition.sample($0.done, labels) } }
        exposition.family("brightnessd_panel_write_failures_total", .counter, help: "Failed writes to a panel.")
        each { exposition, state, labels in service.writes(of: state.id).map { exposition.sample($0.failed, labels) } }
        exposition.family(
            "brightnessd_ddc_writes_today",
            .gauge,
            help: "Writes to a monitor on the day (UTC) of the last one."
        )
        each { exposition, state, labels in state.writes.map { exposition.sample($0.today, labels) } }
        exposition.family(
            "brightnessd_ddc_writes_budget",
            .gauge,
            help: "Maximum writes to a monitor per day."
        )
        each { exposition, state, labels in state.writes.map { exposition.sample($0.budget, labels) } }
    }
}
