// SPDX-License-Identifier: Apache-2.0

/// The kind of a lease: its demand on a display.
package enum LeaseKind: String, Hashable, Sendable, CaseIterable {
    /// At least this bright.
    case boost
    /// At most this bright. Wins over every boost.
    case dim
    /// On. Wins over every sleep.
    case wake
    /// Off.
    case sleep

    /// The property of the display that the lease changes.
    package enum Subject: Hashable, Sendable {
        case brightness, power
    }

    package var subject: Subject {
        switch self {
        case .boost, .dim: .brightness
        case .wake, .sleep: .power
        }
    }

    /// The requested brightness of a request that names none; `nil` for kinds without a brightness.
    package var defaultBrightness: Brightness? {
        switch self {
        case .boost: .full
        case .dim: Brightness(clamping: 0.2)
        case .wake, .sleep: nil
        }
    }

    /// The longest time limit of a lease.
    package var longestTTL: Duration {
        switch self {
        case .boost, .wake: .seconds(3_600)
        case .dim, .sleep: .seconds(86_400)
        }
    }

    /// The longest time limit of any kind.
    package static let longestTTL: Duration = .seconds(86_400)
}
