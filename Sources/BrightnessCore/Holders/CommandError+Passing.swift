// SPDX-License-Identifier: Apache-2.0

extension CommandError {
    /// Whether the same command may succeed later.
    var isPassing: Bool {
        switch self {
        case .panel, .busy, .lease: true
        case .superseded, .unknownDisplay, .otherRevision, .outOfRange, .notSwitchable, .stopping, .unreachable,
            .unanswered, .unsupported, .remote:
            false
        }
    }
}
