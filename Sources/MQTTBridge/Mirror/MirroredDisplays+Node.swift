// SPDX-License-Identifier: Apache-2.0
import BrightnessCore

/// The facts about a display and a node, within one connection and beyond it. A fact is confirmed once it has arrived
/// since the connection began.
extension MirroredDisplays {
    struct Display {
        let id: DisplayID
        var state: DisplayState?
        var leases: [Lease] = []
        var isStateConfirmed = false
        var areLeasesConfirmed = false
        /// Whether the leases have arrived since the node was last absent, so that it would report the end of one.
        var areLeasesCurrent = false

        mutating func receive(_ new: DisplayState) { (state, isStateConfirmed) = (new, true) }

        mutating func receive(_ new: [Lease]) { (leases, areLeasesConfirmed, areLeasesCurrent) = (new, true, true) }
    }

    struct NodeStatus: Hashable {
        enum Kind {
            /// No status has arrived since its first message.
            case unknown
            case online, absent
        }

        let kind: Kind
        var since: Moment
        /// Whether the state began earlier, before this daemon observed it.
        var isAtLatest = false

        var isOnline: Bool { kind == .online }

        /// `nil` while it is online.
        var unavailability: Unavailability? {
            isOnline ? nil : Unavailability(since: since.wall, isAtLatest: isAtLatest)
        }
    }

    struct Node {
        var status: NodeStatus
        var isStatusConfirmed = false
        /// `nil` until they arrive.
        var capabilities: NodeCapabilities?
        /// The node's run, to which the revisions of its states belong; also while it has no capabilities.
        var epoch: String?
        var displays: Set<DisplayID> = []
        /// Whether any message has arrived since the connection began.
        var hasReported = false
        /// The time when its facts that are not confirmed are forgotten; `nil` if none may be left.
        var sweepDue: Instant?

        /// Whether it differs from an unknown node.
        var isWorthKeeping: Bool { status.isOnline || !displays.isEmpty || capabilities != nil || sweepDue != nil }
    }
}
