// SPDX-License-Identifier: Apache-2.0

/// The answer to a `HistoryQuery`.
package struct History: Equatable, Sendable {
    /// The state at one time.
    package struct Point: Equatable, Sendable {
        package let at: Timestamp
        /// `nil` while unknown: the display did not answer, the daemon did not run, or the history was deleted.
        package let brightness: Brightness?
        package let baseline: Brightness?
        /// Whether the panel was on; where that cannot be read, whether people asked for it to be on.
        package let isOn: Bool?
        /// The ambient light; also `nil` without a sensor.
        package let illuminance: Illuminance?

        package init(
            at: Timestamp,
            brightness: Brightness?,
            baseline: Brightness?,
            isOn: Bool?,
            illuminance: Illuminance?
        ) {
            (self.at, self.brightness, self.baseline) = (at, brightness, baseline)
            (self.isOn, self.illuminance) = (isOn, illuminance)
        }
    }

    /// The maximum number of leases per answer; the newest are returned.
    package static let leaseLimit = 500

    package var points: [Point] = []
    /// The lowest and the highest brightness of the range, also between two points; `nil` while unknown.
    package var extent: ClosedRange<Brightness>?
    /// The leases that were in force at any time of the range, the oldest first.
    package var leases: [LeaseInterval] = []
    /// Whether older leases of the range are missing in `leases`.
    package var isTruncated = false

    package init() {}
}

/// The time in which a lease was in force, and its request.
package struct LeaseInterval: Hashable, Sendable {
    package let kind: LeaseKind
    package let holder: String?
    package let reason: String?
    /// The requested brightness; `nil` for kinds without one.
    package var brightness: Brightness?
    package var from: Timestamp
    /// `nil` while it is in force.
    package var to: Timestamp?
    /// The event that ended the lease; `nil` while it is in force, and when its end was not observed.
    package var end: LeaseChange?
}

extension LeaseInterval {
    package init(_ lease: Lease) {
        (kind, holder, reason) = (lease.kind, lease.holder, lease.reason)
        (brightness, from) = (lease.brightness, lease.grantedAt)
    }
}
