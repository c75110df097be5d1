// SPDX-License-Identifier: Apache-2.0
package import BrightnessCore

extension History {
    /// The document of `GET /v1/history`.
    package func json(_ query: HistoryQuery) -> [UInt8] {
        var json = JSONWriter(reserving: 1_024 + points.count * 100 + (leases.count + causes.count) * 160)
        json.object { json in
            json.member("display", query.display.text)
            json.member("from", query.from.rfc3339)
            json.member("to", query.to.rfc3339)
            json.member("step", query.step)
            json.name("points")
            json.array(points) { json, point in
                json.object {
                    $0.member("at", point.at.rfc3339)
                    $0.member("brightness", fraction: point.brightness?.fraction)
                    $0.member("baseline", fraction: point.baseline?.fraction)
                    $0.member("illuminance", fraction: point.illuminance?.lux)
                }
            }
            json.name("leases")
            json.array(leases) { json, lease in json.object { lease.write(to: &$0) } }
            json.name("causes")
            json.array(causes) { json, cause in json.object { cause.write(to: &$0) } }
            json.member("truncated", isTruncated)
        }
        return json.bytes
    }
}

extension LeaseInterval {
    fileprivate func write(to json: inout JSONWriter) {
        json.member("kind", kind.rawValue)
        json.member("holder", holder)
        json.member("reason", reason)
        if let brightness { json.member("brightness", fraction: brightness.fraction) }
        json.member("from", from.rfc3339)
        json.member("to", to?.rfc3339)
        json.member("end", end?.rawValue)
    }
}
