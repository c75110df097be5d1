// SPDX-License-Identifier: Apache-2.0

/// A schedule of the daemon.
package struct ScheduleDocument {
    package let name: String
    let displays: [String]
    let days: [String]
    let from: String
    let to: String
    /// Such as `dim 20 %`.
    let effect: String
    let isActive: Bool
    /// Its next beginning or end; `nil` if there is none.
    let next: (at: Time, isBegin: Bool)?
    /// A fact that may surprise the caller, in the daemon's words.
    let warning: String?

    package init?(_ json: JSON) {
        guard let name = json["name"]?.text, let from = json["from"]?.text, let to = json["to"]?.text else {
            return nil
        }
        self.name = name
        self.from = from
        self.to = to
        displays = json["displays"]?.elements.compactMap(\.text) ?? []
        days = json["days"]?.elements.compactMap(\.text) ?? []
        effect = Self.effect(json)
        isActive = json["active"]?.bool ?? false
        warning = json["warning"]?.text
        next = json["next"]?["at"]?.text.flatMap(Time.init).map { ($0, json["next"]?["change"]?.text == "begin") }
    }

    private static func effect(_ json: JSON) -> String {
        for member in ["dim", "boost", "brightness"] {
            if let fraction = json[member]?.number { return "\(member) \(DisplayDocument.percent(fraction))" }
        }
        return "sleep"
    }
}
