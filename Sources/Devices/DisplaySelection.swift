// SPDX-License-Identifier: Apache-2.0
package import BrightnessCore

/// What `--display` takes: `auto`, `backlight:NAME`, `led:NAME`, `ddc:ID`, `simulated`, `simulated:NAME` or `none`.
package enum DisplaySelection: Hashable, Sendable {
    /// The machine's backlights, or a simulated display when it has none.
    case auto
    /// The backlight of this name in the kernel, or of this id.
    case backlight(KernelName)
    /// The monitor of this id.
    case ddc(DisplayID)
    /// The LED of this name in the kernel, or of this id. `auto` takes none.
    case led(KernelName)
    /// No display of this machine: it shows others' alone.
    case none
    /// A simulated display of this id; `simulated` when it has no name of its own.
    case simulated(DisplayID?)

    /// Returns `nil` for anything else, and for a name that nothing can have.
    package init?(_ text: String) {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        switch (parts[0], parts.count) {
        case ("auto", 1): self = .auto
        case ("none", 1): self = .none
        case ("simulated", 1): self = .simulated(nil)
        case ("simulated", 2):
            guard let id = DisplayID(String(parts[1])) else { return nil }
            self = .simulated(id)
        case ("backlight", 2):
            guard let name = KernelName(String(parts[1])) else { return nil }
            self = .backlight(name)
        case ("ddc", 2):
            guard let id = DisplayID(String(parts[1])) else { return nil }
            self = .ddc(id)
        case ("led", 2):
            guard let name = KernelName(String(parts[1])) else { return nil }
            self = .led(name)
        default: return nil
        }
    }
}

extension DisplaySelection {
    /// Whether the backlights have to be listed for it.
    var isOfBacklights: Bool {
        switch self {
        case .auto, .backlight: true
        case .led, .ddc, .none, .simulated: false
        }
    }
}

extension DisplaySelection: CustomStringConvertible {
    package var description: String {
        switch self {
        case .auto: "auto"
        case .backlight(let name): "backlight:\(name)"
        case .ddc(let id): "ddc:\(id)"
        case .led(let name): "led:\(name)"
        case .none: "none"
        case .simulated(let id?): "simulated:\(id)"
        case .simulated(nil): "simulated"
        }
    }
}

/// Why the selected displays could not be opened. The description is for whoever starts the daemon.
package enum SelectionError: Error, Hashable, Sendable {
    /// A display asked for by name is not there or cannot be read.
    case unusable(DisplaySelection, DeviceError, present: [DisplaySelection])
    case twice(DisplayID)
    /// A monitor asked for by name is not among those that answer.
    case noMonitor(DisplayID, MonitorNote, present: [DisplayID])
    /// `none` beside others.
    case noneBesideOthers
    /// The directory of backlights is there and cannot be listed.
    case unlistable(DeviceError)
}

extension SelectionError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .noMonitor(let id, .none, let present) where !present.isEmpty:
            "no monitor ddc:\(id). These answer: " + present.map { "ddc:\($0)" }.joined(separator: ", ")
        case .noMonitor(let id, let note, _):
            "cannot use the monitor ddc:\(id): \(note)"
        case .unusable(let display, let error, let present):
            "cannot use \(display): \(error.logText). \(Self.list(present))"
        case .twice(let id):
            "the display \(id) is selected twice"
        case .noneBesideOthers:
            "--display none goes with no other --display"
        case .unlistable(let error):
            "cannot list the backlights: \(error.logText)"
        }
    }

    private static func list(_ present: [DisplaySelection]) -> String {
        guard !present.isEmpty else { return "None of this kind is usable; --display simulated needs no hardware" }
        return "Usable are: " + present.map(\.description).joined(separator: ", ")
    }
}
