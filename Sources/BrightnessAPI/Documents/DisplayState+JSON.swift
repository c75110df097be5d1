// SPDX-License-Identifier: Apache-2.0
package import BrightnessCore

extension DisplayState {
    /// The document of a display, in responses and events.
    package var json: [UInt8] { JSONWriter.object { write(to: &$0) } }

    /// The document of a display after a restore.
    ///
    /// - Parameter count: The number of released leases.
    package func json(releasing count: Int) -> [UInt8] {
        JSONWriter.object { json in
            write(to: &json)
            json.member("released", count)
        }
    }

    /// The document of all displays.
    package static func list(_ displays: [DisplayState], at revision: Revision, in epoch: Epoch) -> [UInt8] {
        JSONWriter.object { json in
            json.member("epoch", epoch.text)
            json.member("revision", revision.number)
            json.name("displays")
            json.array(displays) { json, display in json.object { display.write(to: &$0) } }
        }
    }

    private func write(to json: inout JSONWriter) {
        json.member("id", id.text)
        json.member("name", name)
        json.member("kind", kind.rawValue)
        json.member("brightness", fraction: brightness.fraction)
        json.member("baseline", fraction: baseline.fraction)
        json.member("raw") {
            $0.member("value", step)
            $0.member("maximum", range.maximum)
        }
        json.member("percent", Int((brightness.fraction * 100).rounded()))
        json.member("power") {
            $0.member("on", optional: power.isOn)
            $0.member("baseline", power.baseline)
            $0.member("switchable", power.isSwitchable)
        }
        let summaries = [("boost" as StaticString, boost), ("dim", dim), ("wake", wake), ("sleep", sleep)]
        for (name, summary) in summaries {
            json.name(name)
            if let summary { json.object { summary.write(to: &$0) } } else { json.null() }
        }
        json.name("limitedBy")
        json.array(limits) { $0.string($1.rawValue) }
        json.member("auto") {
            $0.member("enabled", automatic.isEnabled)
            $0.member("heldUntil", automatic.heldUntil?.rfc3339)
            $0.member("waiting", automatic.waiting?.rawValue)
        }
        json.member("available", isAvailable)
        json.name("unavailable")
        if let unavailable { json.object { unavailable.write(to: &$0) } } else { json.null() }
        if let writes {
            json.member("writes") {
                $0.member("today", writes.today)
                $0.member("budget", writes.budget)
            }
        }
        if !tags.isEmpty {
            json.name("tags")
            json.array(tags) { $0.string($1.text) }
        }
        json.member("cause") { cause.write(to: &$0) }
        json.member("revision", revision.number)
    }
}

extension DisplayState.LeaseSummary {
    fileprivate func write(to json: inout JSONWriter) {
        if let brightness { json.member("brightness", fraction: brightness.fraction) }
        json.member("leases", leases)
        json.member("until", until?.rfc3339)
        json.member("overridden", isOverridden)
    }
}

extension Unavailability {
    fileprivate func write(to json: inout JSONWriter) {
        json.member("since", since.rfc3339)
        json.member("atLatest", isLatest)
    }
}

extension Cause {
    func write(to json: inout JSONWriter) {
        json.member("kind", kind.rawValue)
        json.member("by", by)
        json.member("principal", principal?.text)
        json.member("reason", reason)
        json.member("at", at.rfc3339)
    }
}
