// SPDX-License-Identifier: Apache-2.0
import BrightnessCore

/// A log about the messages that the broker delivers.
typealias BrokerLog = LimitedLog<BrokerLine>

enum BrokerLine: String, LogSubject {
    case notMirrored = "displays, nodes or leases that are not mirrored"
    case unreadable = "invalid states or leases of other daemons"
    case retainedCommand = "retained commands"
    case responseTopic = "disallowed response topics"
    /// Commands without a response topic.
    case failedCommand = "failed commands"
    /// Commands that a newer one replaced.
    case skippedCommand = "skipped commands"
    case oversized = "oversized messages"

    var limit: Int { self == .skippedCommand ? 1 : RepeatedLines<Self>.repetitions }
}
