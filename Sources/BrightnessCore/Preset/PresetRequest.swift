// SPDX-License-Identifier: Apache-2.0

/// A request to bring displays to the values of a preset, or to one value.
package struct PresetRequest: Hashable, Sendable {
    package enum Source: Hashable, Sendable {
        /// A stored preset. The command handler looks it up.
        case named(ResourceName)
        /// The same value for every display.
        case value(PresetValue)
        /// The values of a stored preset, which the handler has looked up.
        case values([DisplayID: PresetValue])
    }

    /// The terms of leases that have the values in place of the baselines. Once they end, everything is as before.
    package struct Terms: Hashable, Sendable {
        /// The longest time limit that every kind of lease allows.
        package static let longestTTL = LeaseKind.allCases.map(\.longestTTL).min() ?? LeaseRequest.defaultTTL

        package let ttl: Duration
        /// The holder that the request names; `nil` for none.
        package let holder: String?

        package init(ttl: Duration, holder: String? = nil) { (self.ttl, self.holder) = (ttl, holder) }

        /// The holder of the leases: never the one that the request names, whose own leases stay.
        var leaseHolder: String { PresetHolder.name(for: holder) ?? PresetHolder.anonymous }
    }

    package var source: Source
    /// `nil` to set the baselines.
    package let terms: Terms?

    package init(_ source: Source, terms: Terms? = nil) { (self.source, self.terms) = (source, terms) }

    package func value(of id: DisplayID) -> PresetValue? {
        switch source {
        case .named: nil
        case .value(let value): value
        case .values(let values): values[id]
        }
    }
}

extension PresetValue {
    /// The leases that bring a display with this baseline to the value and keep it there, from both sides. The last one
    /// about the brightness is the cause.
    func leases(over baseline: Brightness, _ terms: PresetRequest.Terms, reason: String?) -> [LeaseRequest] {
        let sides: [LeaseKind] = brightness.map { $0 < baseline ? [.boost, .dim] : [.dim, .boost] } ?? []
        return (sides + (isOn.map { [$0 ? .wake : .sleep] } ?? [])).map { kind in
            let level = brightness.map { BrightnessLevel.fraction($0) }
            return LeaseRequest(kind, at: level, ttl: terms.ttl, holder: terms.leaseHolder, reason: reason)
        }
    }
}
