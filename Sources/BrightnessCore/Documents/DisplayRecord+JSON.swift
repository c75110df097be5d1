// SPDX-License-Identifier: Apache-2.0

/// The document of a display in the journal. Its settings and each lease have one of their own.
extension DisplayRecord {
    /// The maximum number of lessons to read, the newest. A display learns about twenty; each one costs a pass over the
    /// curve at the start.
    package static let lessonLimit = 64

    /// - Parameters:
    ///   - boot: The identifier of the boot in which the record is written.
    ///   - deadline: Converts the end of a hold.
    package func json(inBoot boot: String, _ deadline: (Moment) -> PersistedDeadline) -> [UInt8] {
        JSONWriter.object { json in
            json.member("boot", boot)
            json.member("maximum", maximum)
            json.member("baseline", exact: baseline.fraction)
            json.member("baselineStep", baselineStep)
            json.member("floor", optional: floor)
            json.member("ceiling", optional: ceiling)
            json.member("power", powerBaseline)
            json.member("mayBeDark", mayBeDark)
            device.write(to: &json)
            json.member("provided", provided)
            json.member("auto") {
                $0.member("enabled", optional: automatic.isEnabled)
                $0.member("held", automatic.heldUntil.map(deadline))
                $0.member("lessons", automatic.lessons)
            }
        }
    }

    /// Marks outside the panel's steps are limited to them. Invalid settings, lessons and holds count as missing.
    package init?(reading json: JSONNode, of id: DisplayID, _ moment: (PersistedDeadline) -> Moment) {
        guard let maximum = json["maximum"]?.integer, BrightnessRange(maximum: maximum) != nil,
            let baseline = json["baseline"]?.brightness, let step = json["baselineStep"]?.integer,
            (0...maximum).contains(step), let power = json["power"]?.bool, let mayBeDark = json["mayBeDark"]?.bool
        else { return nil }
        let provided = json["provided"].flatMap { ProvidedRecord(reading: $0) }
        guard provided != nil || json["provided"]?.isNull ?? true else { return nil }
        let automatic = json["auto"]
        let lessons = automatic?["lessons"]?.elements.map {
            Array($0.compactMap { BrightnessCurve.Point(reading: $0) })
        }
        func mark(_ name: StaticString) -> Int? { json[name]?.integer.map { min(max($0, 0), maximum) } }
        self.init(
            id: id,
            maximum: maximum,
            baseline: baseline,
            baselineStep: step,
            floor: mark("floor"),
            ceiling: mark("ceiling"),
            powerBaseline: power,
            mayBeDark: mayBeDark,
            automatic: AutomaticRecord(
                isEnabled: automatic?["enabled"]?.bool,
                heldUntil: automatic?["held"].flatMap { PersistedDeadline(reading: $0) }.map(moment),
                lessons: Array((lessons ?? []).suffix(Self.lessonLimit))
            ),
            provided: provided,
            device: DeviceRecord(reading: json)
        )
    }
}

extension DeviceRecord {
    /// Writes its members into the document of its display or part.
    fileprivate func write(to json: inout JSONWriter) {
        json.member("place", address)
        json.member("writes", writes)
        guard !parts.isEmpty else { return }
        json.member("parts", objects: parts.sorted { $0.key.text < $1.key.text }) { json, part in
            json.member("display", part.key.text)
            part.value.write(to: &json)
        }
    }

    fileprivate init(reading json: JSONNode) {
        let parts = json["parts"]?.elements.map {
            Array($0.compactMap { part in part["display"]?.display.map { ($0, DeviceRecord(reading: part)) } })
        }
        self.init(
            address: json["place"]?.string,
            writes: json["writes"].flatMap { DailyWrites(reading: $0) },
            parts: Dictionary(parts ?? []) { first, _ in first }
        )
    }
}

extension DailyWrites: Document {
    package func write(to json: inout JSONWriter) {
        json.member("day", day)
        json.member("count", count)
    }

    init?(reading json: JSONNode) {
        guard let day = json["day"]?.count, let count = json["count"]?.count else { return nil }
        self.init(day: Int64(day), count: count)
    }
}

extension ProvidedRecord: Document {
    package func write(to json: inout JSONWriter) {
        json.member("name", name)
        json.member("dimmable", isDimmable)
        json.member("switchable", isSwitchable)
        json.member("principal", principal.text)
        json.member("goneSince", goneSince?.rfc3339)
    }

    init?(reading json: JSONNode) {
        guard let name = json["name"]?.text, let isDimmable = json["dimmable"]?.bool,
            let isSwitchable = json["switchable"]?.bool, let principal = json["principal"]?.text
        else { return nil }
        self.init(
            name: name,
            isDimmable: isDimmable,
            isSwitchable: isSwitchable,
            principal: Principal(principal),
            goneSince: json["goneSince"]?.time
        )
    }
}

/// The stored end of a lease or a hold by two clocks, in milliseconds.
package struct PersistedDeadline: Equatable, Document {
    /// Wall-clock time since 1970.
    package let at: Int64
    /// Time since the start of the machine.
    package let afterBoot: Int64
    /// Remaining time when it was stored.
    package let left: Int64

    package init(at: Int64, afterBoot: Int64, left: Int64) {
        (self.at, self.afterBoot, self.left) = (at, afterBoot, left)
    }

    package func write(to json: inout JSONWriter) {
        json.member("at", at)
        json.member("afterBoot", afterBoot)
        json.member("left", left)
    }

    package init?(reading json: JSONNode) {
        guard let at = json["at"]?.integer, let afterBoot = json["afterBoot"]?.integer, let left = json["left"]?.integer
        else { return nil }
        self.init(at: Int64(at), afterBoot: Int64(afterBoot), left: Int64(left))
    }
}
