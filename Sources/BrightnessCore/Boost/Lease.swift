// SPDX-License-Identifier: Apache-2.0

/// The identifier of a lease. It is random, so that no later run of the daemon reuses it.
package struct LeaseID: Hashable, Sendable {
    package let text: String

    package init(_ text: String) { self.text = text }

    /// 128 random bits as 32 hexadecimal digits.
    package static func random() -> LeaseID {
        var number = UInt128.random(in: .min ... .max)
        return LeaseID(
            String(unsafeUninitializedCapacity: 32) { buffer in
                for place in 0..<32 {
                    let digit = UInt8(truncatingIfNeeded: number & 15)
                    buffer[place] = digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10
                    number >>= 4
                }
                return 32
            }
        )
    }
}

/// The right to a minimum brightness of a display until the lease ends. The API and the client call it a boost.
package struct Lease: Hashable, Sendable {
    package let id: LeaseID
    package let display: DisplayID
    /// The holder's name, which is unique within the principal. It is `nil` for the principal's unnamed holder.
    package let holder: String?
    /// The owner: only this principal and clients with the scope `admin` may renew or release the lease.
    package let principal: Principal
    package let grantedAt: Timestamp
    /// The requested brightness. The panel shows less if a cap limits it, and more if the baseline or another lease is
    /// higher.
    package internal(set) var brightness: Brightness
    package internal(set) var reason: String?
    /// The event that ends the lease. A time limit (`end`) can end it earlier.
    package internal(set) var lifespan: LeaseLifespan
    /// The time at which the lease ends unless it is renewed. It is `nil` if the lease has no time limit.
    package internal(set) var end: Moment?

    package init(
        id: LeaseID,
        display: DisplayID,
        holder: String?,
        principal: Principal = .anonymous,
        grantedAt: Timestamp,
        brightness: Brightness,
        reason: String?,
        lifespan: LeaseLifespan,
        end: Moment?
    ) {
        self.id = id
        self.display = display
        self.holder = holder
        self.principal = principal
        self.grantedAt = grantedAt
        self.brightness = brightness
        self.reason = reason
        self.lifespan = lifespan
        self.end = end
    }
}

/// A change of a lease.
package enum LeaseChange: String, Hashable, Sendable {
    case granted, renewed, released, expired
    /// Its holder was disconnected for longer than `LeaseTable.grace`.
    case disconnected

    /// Whether the change ends the lease.
    package var isEnd: Bool {
        switch self {
        case .granted, .renewed: false
        case .released, .expired, .disconnected: true
        }
    }
}

/// A lease and its change.
package struct LeaseEvent: Hashable, Sendable {
    package let lease: Lease
    package let change: LeaseChange

    package init(_ lease: Lease, _ change: LeaseChange) {
        self.lease = lease
        self.change = change
    }
}

extension Asker {
    /// Whether the asker may renew and release the lease.
    package func mayUse(_ lease: Lease) -> Bool { isAdmin || lease.principal == principal }
}
