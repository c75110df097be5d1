// SPDX-License-Identifier: Apache-2.0

/// The reason why a panel could not be read or written. Paths and error numbers are for the log; clients get a
/// sentence.
package enum DeviceError: Error, Hashable, Sendable {
    /// The device was unplugged or never present.
    case absent(path: String)
    /// The device exists, and nothing is plugged into it. From a read, `step` is as in `abandoned`.
    case unplugged(path: String, step: Int? = nil)
    /// The client that provides the display is not connected, or does not answer. From a read, `step` is the step that
    /// the display shows nevertheless, if known. From a write, it is the step that the client was asked for when it
    /// left, and gets when it is back.
    case abandoned(DisplayID, step: Int? = nil)
    /// The device is switched off. Commands succeed, and are written when it is awake; they do not wake it. `step` is
    /// the step that it will show then without another command, if known.
    case asleep(path: String, step: Int? = nil)
    /// This process lacks the permission; see "Permissions" in docs/how-to/install.md.
    case permission(path: String)
    /// The device used up its daily write budget.
    case worn(limit: Int)
    /// The file's content is not what the kernel documents.
    case malformed(path: String, text: String)
    case io(path: String, errno: Int32)
    /// A television was not switched, and why.
    case unswitched(path: String, SwitchFailure)
    /// Another display of this machine has the id.
    case taken(DisplayID)

    /// Whether the panel waits for its client.
    var isAbandonment: Bool { if case .abandoned = self { true } else { false } }

    /// After a failed read: the step that the panel shows although it, or one device of a pair, is not there.
    var shownStep: Int? {
        switch self {
        case .unplugged(_, let step), .abandoned(_, let step): step
        case .absent, .asleep, .permission, .worn, .malformed, .io, .unswitched, .taken: nil
        }
    }

    /// Whether there is no panel to write to.
    var isAbsence: Bool {
        switch self {
        case .absent, .unplugged, .abandoned: true
        case .asleep, .permission, .worn, .malformed, .io, .unswitched, .taken: false
        }
    }

    /// After a failed write: whether the panel may have accepted it nevertheless.
    package var mayHaveTakenEffect: Bool {
        switch self {
        case .absent, .unplugged, .abandoned, .asleep, .permission, .worn, .taken: false
        case .malformed, .io, .unswitched: true
        }
    }
}

/// Why a television was not switched.
package enum SwitchFailure: Hashable, Sendable {
    /// Another program holds the bus.
    case busy
    /// No device accepted the command: the television has no power, or its HDMI-CEC is off.
    case unacknowledged
    /// The television reports that it did not switch.
    case ignored
}
