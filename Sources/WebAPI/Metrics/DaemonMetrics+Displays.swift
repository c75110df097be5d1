// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import Metrics

extension DaemonMetrics {
    /// What the displays show, and what was done to their panels.
    func write(_ displays: [DisplayState], to exposition: inout Exposition) {
        func each(_ body: (inout Exposition, DisplayState, _ labels: Exposition.Labels) -> Void) {
            for state in displays { body(&exposition, state, ["display": state.id.text]) }
        }

        exposition.family("brightnessd_display_info", .gauge, help: "1; its labels say what a display is.")
        for state in displays {
            exposition.sample(1, ["display": state.id.text, "kind": state.kind.rawValue, "name": state.name])
        }
        exposition.family(
            "brightnessd_display_brightness_ratio",
            .gauge,
            help: "The effective brightness of a display, 0 to 1 of its own range."
        )
        each { $0.sample($1.brightness.fraction, $2) }
        exposition.family(
            "brightnessd_display_baseline_ratio",
            .gauge,
            help: "What is put back when the last boost ends."
        )
        each { $0.sample($1.baseline.fraction, $2) }
        exposition.family(
            "brightnessd_display_available",
            .gauge,
            help: "0 while a panel is unplugged or refuses what it is owed."
        )
        each { $0.sample($1.isAvailable, $2) }
        exposition.family(
            "brightnessd_display_automatic",
            .gauge,
            help: "1 while a display follows the light, or is only held."
        )
        each { $0.sample($1.automatic.isEnabled, $2) }
        exposition.family("brightnessd_leases", .gauge, help: "Boosts in force.")
        each { $0.sample($1.boost?.leases ?? 0, $2) }
        exposition.family("brightnessd_panel_writes_total", .counter, help: "Steps that a panel took.")
        each { exposition, state, labels in service.writes(of: state.id).map { exposition.sample($0.done, labels) } }
        exposition.family("brightnessd_panel_write_failures_total", .counter, help: "Steps that a panel did not take.")
        each { exposition, state, labels in service.writes(of: state.id).map { exposition.sample($0.failed, labels) } }
        exposition.family(
            "brightnessd_ddc_writes_today",
            .gauge,
            help: "Writes of a monitor on the day (UTC) of the last one."
        )
        each { exposition, state, labels in state.writes.map { exposition.sample($0.today, labels) } }
        exposition.family(
            "brightnessd_ddc_writes_budget",
            .gauge,
            help: "After so many writes a day nobody may ask for more."
        )
        each { exposition, state, labels in state.writes.map { exposition.sample($0.budget, labels) } }
    }
}
