// SPDX-License-Identifier: Apache-2.0
package import BrightnessCore

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
