// SPDX-License-Identifier: Apache-2.0
package import BrightnessCore

/// The displays a daemon starts with, and the notices about them.
package struct OpenedDisplays: Sendable {
    package internal(set) var registrations: [DisplayService.PanelRegistration] = []
    /// The simulated ones among them.
    package internal(set) var simulated: [SimulatedPanel] = []
    package internal(set) var notices: [DiscoveryNotice] = []
    /// Finds backlights that appear later; `nil` unless `auto` is selected.
    package internal(set) var backlightHotplug: BacklightHotplug?
    /// Finds monitors that appear later, and opens those that are asleep now; `nil` if neither can happen.
    package internal(set) var monitorHotplug: MonitorHotplug?
    /// Displays whose panels may have been unplugged or plugged in: they have to be read.
    package internal(set) var changed: Set<DisplayID> = []
    /// The simulated display that a real one replaced.
    package internal(set) var replaced: DisplayID?
    /// The displays of two panels. Those whose parts are open are in `registrations`, in place of the parts.
    package internal(set) var pairs = Pairs.none

    /// The simulated display that `auto` opened for want of a real one.
    package var standIn: DisplayID? { backlightHotplug?.standIn }

    /// The absent displays that an earlier run has changed: they are restored when they return.
    package internal(set) var pending: Set<DisplayID> = []

    /// Whether a display with this id is open, or is opened when it wakes, or when its parts come.
    package func includes(_ id: DisplayID) -> Bool {
        registrations.contains { $0.panel.id == id } || pairs.includes(id)
            || monitorHotplug?.waiting.contains { $0.id == id } ?? false
    }
}
