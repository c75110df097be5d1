// SPDX-License-Identifier: Apache-2.0

/// The identifier of a lease. It is random, so that no later run of the daemon reuses it.
package struct LeaseID: Hashable, Sendable {
    package let text: String

    package init(_ text: String) { self.text = text }

    /// 128 random bits as 32 hexadecimal digits.
    static func random() -> LeaseID {
        var number = UInt128.random(in: .min ... .max)
        return LeaseID(
            String(unsafeUninitializedCapacity: 32) { buffer in
                for index in 0..<32 {
                    let digit = UInt8(truncatingIfNeeded: number & 15)
                    buffer[index] = digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10
                    number >>= 4
                }
                return 32
            }
        )
    }
}

/// The right of one holder to boost, dim, wake or switch off a display, until it is released or ends.
package struct Lease: Hashable, Sendable {
    package let id: LeaseID
    package private(set) var kind = LeaseKind.boost
    package private(set) var display: DisplayID
    /// The holder's name, which is unique within the principal. It is `nil` for the principal's unnamed holder.
    package let holder: String?
    /// The owner: only this principal and clients with the scope `admin` may renew or release the lease.
    package private(set) var principal = Principal.anonymous
    package let grantedAt: Timestamp
    /// The requested brightness; `nil` for kinds without one. The panel shows another one if the cap, the baseline or
    /// another lease requires that.
    package internal(set) var brightness: Brightness?
    package internal(set) var reason: String?
    /// The event that ends the lease. A time limit (`end`) can end it earlier.
    package internal(set) var lifespan: LeaseLifespan
    /// The time at which the lease ends unless it is renewed. It is `nil` if the lease has no time limit.
    package internal(set) var end: Moment?
    /// When a `visible` lease ends unless its holder opens a stream; `nil` while the holder has one. Not persisted:
    /// after a restart a new grace period begins.
    package internal(set) var graceEnd: Moment?
    /// Whether a person has changed the panel against it: it has no effect until it ends, however often it is renewed.
    package internal(set) var isOverridden = false

    /// Returns the lease of an earlier run with its end by this run's clock.
    package func recovered(until end: Moment?) -> Lease {
        var lease = self
        (lease.end, lease.graceEnd) = (end, nil)
        return lease
    }

    /// Returns the lease of another daemon's display, as this daemon publishes it.
    package func mirrored(on display: DisplayID, principal: Principal) -> Lease {
        var lease = self
        lease.display = display
        lease.principal = principal
        return lease
    }

    /// When the lease ends if nobody does anything; `nil` if nothing ends it.
    var nextEnd: Moment? {
        guard let end, let graceEnd else { return end ?? graceEnd }
        return end.instant <= graceEnd.instant ? end : graceEnd
    }
}

package enum LeaseChange: String, Hashable, Sendable {
    case granted
    /// Its holder renewed it, or another of its properties changed: its end by the wall clock, `graceEnd`, or
    /// `isOverridden`.
    case renewed
    case released, expired
    /// Its holder was disconnected for longer than `LeaseTable.grace`.
    case disconnected
    /// The daemon stops, or no longer has the display. No client ended it, so its holder may request it again.
    case stopped

    package var isEnd: Bool {
        switch self {
        case .granted, .renewed: false
        case .released, .expired, .disconnected, .stopped: true
        }
    }
}

package struct LeaseEvent: Hashable, Sendable {
    package let lease: Lease
    package let change: LeaseChange

    package init(_ lease: Lease, _ change: LeaseChange) {
        self.lease = lease
        self.change = change
    }
}

extension Requester {
    func mayUse(_ lease: Lease) -> Bool { isAdmin || lease.principal == principal }
}

/// The event that ends a lease. A release or the lease's time limit can end it earlier.
package enum LeaseLifespan: String, Hashable, Sendable, CaseIterable {
    /// The daemon stops: the lease lasts for the daemon's lifetime.
    case lifetime
    /// The holder has had no open stream for longer than `LeaseTable.grace`.
    case visible
    /// The lease reaches its time limit.
    case custom

    /// The time limit of a lease whose request names none; `nil` for none.
    var defaultTTL: Duration? { self == .custom ? LeaseRequest.defaultTTL : nil }
}
