// SPDX-License-Identifier: Apache-2.0
package import BrightnessCore

extension Lease {
    package var json: [UInt8] { json() }

    /// - Parameters:
    ///   - limits: The reasons why it does not have its full effect, in a response about this lease; `nil` in lists and
    ///     events.
    ///   - warning: What may surprise the client, in the response to the request that granted the lease.
    package func json(limitedBy limits: [DisplayState.Limit]? = nil, warning: String? = nil) -> [UInt8] {
        JSONWriter.object { json in
            json.member("id", id.text)
            json.member("kind", kind.rawValue)
            json.member("display", display.text)
            json.member("holder", holder)
            json.member("by", holder)
            json.member("principal", principal.text)
            if let brightness { json.member("brightness", fraction: brightness.fraction) }
            json.member("lifespan", lifespan.rawValue)
            json.member("reason", reason)
            json.member("grantedAt", grantedAt.rfc3339)
            json.member("until", end?.wall.rfc3339)
            if let ending { json.member("ending", ending.wall.rfc3339) }
            json.member("overridden", isOverridden)
            if let limits {
                json.name("limitedBy")
                json.array(limits) { $0.string($1.rawValue) }
            }
            if let warning { json.member("warning", warning) }
        }
    }
}

extension LeaseEvent {
    package var json: [UInt8] {
        JSONWriter.object { json in
            json.name("lease")
            json.raw(lease.json)
            json.member("change", change.rawValue)
            json.member("display", lease.display.text)
        }
    }
}

extension LeaseTable {
    /// The document of `GET …/leases`.
    package var json: [UInt8] { Self.json(of: [self]) }

    /// The document of the leases of several displays.
    ///
    /// - Parameter kind: The only kind; `nil` for every kind.
    package static func json(of tables: [LeaseTable], _ kind: LeaseKind? = nil) -> [UInt8] {
        JSONWriter.object { json in
            json.name("leases")
            let leases = tables.lazy.flatMap(\.all).filter { kind == nil || $0.kind == kind }
            json.array(leases) { $0.raw($1.json) }
        }
    }
}
