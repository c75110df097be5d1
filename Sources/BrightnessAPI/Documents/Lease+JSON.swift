// SPDX-License-Identifier: Apache-2.0
package import BrightnessCore

extension Lease {
    package var json: [UInt8] { json() }

    /// - Parameter limits: The reasons why it does not have its full effect, in a response about this lease; `nil` in
    ///   lists and events.
    package func json(limitedBy limits: [DisplayState.Limit]? = nil) -> [UInt8] {
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
            json.member("overridden", isOverridden)
            if let limits {
                json.name("limitedBy")
                json.array(limits) { $0.string($1.rawValue) }
            }
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
    package var json: [UInt8] { Self.list("leases", all) }

    /// The document of `GET …/boosts`.
    package var boostsJSON: [UInt8] { Self.list("boosts", all.filter { $0.kind == .boost }) }

    private static func list(_ name: StaticString, _ leases: [Lease]) -> [UInt8] {
        JSONWriter.object { json in
            json.name(name)
            json.array(leases) { $0.raw($1.json) }
        }
    }
}
