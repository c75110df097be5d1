// SPDX-License-Identifier: Apache-2.0
import Support

/// The kind of a lease: its demand on a display.
package enum LeaseKind: String, Hashable, Sendable, CaseIterable {
    /// At least this bright.
    case boost
    /// At most this bright. Wins over every boost.
    case dim
    /// On. Wins over every sleep.
    case wake
    case sleep

    /// The demand on the display. Of several leases that demand a brightness the highest counts, or the lowest.
    package enum Demand: Hashable, Sendable {
        case atLeast, atMost, on, off
    }

    package var demand: Demand {
        switch self {
        case .boost: .atLeast
        case .dim: .atMost
        case .wake: .on
        case .sleep: .off
        }
    }

    /// The property of the display that the lease changes.
    package enum Subject: Hashable, Sendable {
        case brightness, power
    }

    package var subject: Subject {
        switch demand {
        case .atLeast, .atMost: .brightness
        case .on, .off: .power
        }
    }

    /// Whether the lease demands more light, which shows that somebody is there.
    var demandsLight: Bool { demand == .atLeast || demand == .on }

    /// Returns the brightness that counts of two leases.
    package func combined(_ one: Brightness?, _ other: Brightness?) -> Brightness? {
        guard let one, let other else { return one ?? other }
        return demand == .atMost ? min(one, other) : max(one, other)
    }

    /// The cause of a change by a granted or renewed lease.
    var cause: Cause.Kind {
        switch self {
        case .boost: .boost
        case .dim: .dim
        case .wake: .wake
        case .sleep: .sleep
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

    package var longestTTL: Duration {
        switch self {
        case .boost, .wake: .seconds(3_600)
        case .dim, .sleep: .seconds(86_400)
        }
    }

    /// The names of all kinds, as a choice within a sentence.
    package static let choice = Suggestion.list(allCases.map(\.rawValue), "or")

    /// The longest time limit of all kinds.
    package static let longestTTL = allCases.map(\.longestTTL).max() ?? .zero

    fileprivate var index: Int {
        switch self {
        case .boost: 0
        case .dim: 1
        case .wake: 2
        case .sleep: 3
        }
    }
}

/// A value for each kind of lease. Empty without values, which is most of the time.
package struct ByLeaseKind<Value: Hashable & Sendable>: Hashable, Sendable, ExpressibleByDictionaryLiteral {
    /// By the index of the kind among all.
    private var values: [Value?] = []

    package init(dictionaryLiteral elements: (LeaseKind, Value)...) {
        for (kind, value) in elements { self[kind] = value }
    }

    package subscript(kind: LeaseKind) -> Value? {
        get { values.isEmpty ? nil : values[kind.index] }
        set {
            if values.isEmpty {
                if newValue == nil { return }
                values = LeaseKind.allCases.map { _ in nil }
            }
            values[kind.index] = newValue
            if newValue == nil, values.allSatisfy({ $0 == nil }) { values = [] }
        }
    }

    func mapValues<Other>(_ transform: (LeaseKind, Value) -> Other) -> ByLeaseKind<Other> {
        var result: ByLeaseKind<Other> = [:]
        if values.isEmpty { return result }
        for kind in LeaseKind.allCases { result[kind] = self[kind].map { transform(kind, $0) } }
        return result
    }
}
