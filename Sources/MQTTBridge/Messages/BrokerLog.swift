// SPDX-License-Identifier: Apache-2.0
import BrightnessCore

/// A log about the messages that the broker delivers.
typealias BrokerLog = LimitedLog<BrokerLine>

/// The subject of a line about the broker.
enum BrokerLine: LimitedLogKind {
    /// A display, node or list of leases that is not mirrored.
    case notMirrored
    /// An invalid state or list of leases of another daemon.
    case unreadable
    /// A retained command, which is ignored.
    case retainedCommand
    /// A response topic that is not allowed.
    case responseTopic
    /// A failed command without a response topic.
    case failedCommand
    /// A command that a newer one replaced.
    case skippedCommand
    /// A message beyond the size limit.
    case oversized

    var subject: String {
        switch self {
        case .notMirrored: "displays, nodes or leases that are not mirrored"
        case .unreadable: "invalid states or leases of other daemons"
        case .retainedCommand: "retained commands"
        case .responseTopic: "disallowed response topics"
        case .failedCommand: "failed commands"
        case .skippedCommand: "skipped commands"
        case .oversized: "oversized messages"
        }
    }

    var limit: Int { self == .skippedCommand ? 1 : Self.defaultLimit }
}
