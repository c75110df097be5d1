// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import HTTPServer

/// What somebody may do. Each includes those before it.
package enum Scope: String, Sendable, CaseIterable, Comparable {
    /// See states, streams and the history.
    case read
    /// Change the brightness, boost, and end one's own boosts.
    case write
    /// End everybody's boosts, one or all.
    case admin

    /// What whoever comes by a Unix socket may do.
    init(of standing: LocalStanding) {
        switch standing {
        case .owner: self = .admin
        case .group: self = .write
        case .other: self = .read
        }
    }

    private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }

    package static func < (left: Scope, right: Scope) -> Bool { left.rank < right.rank }
}

extension Command {
    /// What it needs: one's own boosts are one's own, those of others are not.
    var scope: Scope { if case .restoreAll = action { .admin } else { .write } }
}
