// SPDX-License-Identifier: Apache-2.0
package import BrightnessCore

extension Lease {
    package var json: [UInt8] {
        JSONWriter.object { json in
            json.member("id", id.text)
            json.member("display", display.text)
            json.member("holder", holder)
            json.member("by", holder)
            json.member("principal", principal.text)
            json.member("brightness", fraction: brightness.fraction)
            json.member("lifespan", lifespan.rawValue)
            json.member("reason", reason)
            json.member("grantedAt", grantedAt.rfc3339)
            json.member("until", end?.wall.rfc3339)
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
    /// The document of `GET …/boosts`.
    package var json: [UInt8] {
        JSONWriter.object { json in
            json.name("boosts")
            json.array(all) { $0.raw($1.json) }
        }
    }
}
