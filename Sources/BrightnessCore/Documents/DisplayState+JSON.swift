// SPDX-License-Identifier: Apache-2.0

/// The document of a display, in responses and events.
extension DisplayState: Document {
    /// Made once for all copies of the state.
    package var json: [UInt8] { text { state in JSONWriter.object { state.write(to: &$0) } } }

    package func write(to json: inout JSONWriter) {
        json.member("id", id.text)
        json.member("name", name)
        json.member("kind", kind.rawValue)
        if let provider { json.member("provider", provider.text) }
        json.member("brightness", decimal: brightness.fraction)
        json.member("baseline", decimal: baseline.fraction)
        json.member("raw") {
            $0.member("value", step)
            $0.member("maximum", range.maximum)
        }
        if range.curve != .linear {
            json.name("curve")
            range.curve.write(to: &json)
        }
        json.member("percent", Int((brightness.fraction * 100).rounded()))
        json.member("dimmable", isDimmable)
        json.member("power", power)
        for kind in LeaseKind.allCases {
            json.name(any: kind.rawValue)
            json.value(leases(of: kind))
        }
        json.member("limitedBy", each: limits) { $0.string($1.rawValue) }
        json.member("auto", automatic)
        json.member("available", isAvailable)
        json.member("unavailable", unavailable)
        if let writes { json.member("writes", writes) }
        if !tags.isEmpty {
            json.member("tags", each: tags) { $0.string($1.text) }
        }
        if let position { json.member("position", position.number) }
        if let leader { json.member("follows", leader.text) }
        json.member("cause", cause)
        json.member("revision", revision.number)
    }

    /// Summaries of leases, writes and tags that are invalid count as missing. A display without `dimmable`
    /// can be dimmed.
    package init?(reading json: JSONNode) {
        guard let id = json["id"]?.display, let name = json["name"]?.text(upTo: Self.longestName),
            let brightness = json["brightness"]?.brightness, let baseline = json["baseline"]?.brightness,
            let step = json["raw"]?["value"]?.integer, let maximum = json["raw"]?["maximum"]?.integer,
            let range = BrightnessRange(maximum: maximum), (0...maximum).contains(step),
            let power = json["power"].flatMap({ Power(reading: $0) }), let unavailable = json["unavailable"],
            let automatic = json["auto"].flatMap({ Automatic(reading: $0) }),
            let cause = json["cause"].flatMap({ Cause(reading: $0) })
        else { return nil }
        var leases: ByLeaseKind<LeaseSummary> = [:]
        for kind in LeaseKind.allCases {
            guard let summary = json[any: kind.rawValue].flatMap({ LeaseSummary(reading: $0) }) else { continue }
            leases[kind] = summary
        }
        let unavailability = Unavailability(reading: unavailable)
        guard unavailability != nil || unavailable.isNull else { return nil }
        self.init(
            id: id,
            name: name,
            // A kind that this version does not know is another daemon's.
            kind: json["kind"]?.word() ?? .remote,
            range: range.with(json["curve"].flatMap { PanelCurve(reading: $0) } ?? .linear),
            brightness: brightness,
            baseline: baseline,
            step: step,
            isDimmable: json["dimmable"]?.bool ?? true,
            provider: json["provider"]?.text.map { Principal($0) },
            power: power,
            leases: leases,
            automatic: automatic,
            unavailable: unavailability,
            writes: json["writes"].flatMap { Writes(reading: $0) },
            cause: cause,
            revision: Revision(json["revision"]?.count.map { UInt64($0) } ?? 0),
            tags: json["tags"]?.elements.map { elements in
                Array(elements.lazy.compactMap { $0.string.flatMap { DisplayTag($0) } }.prefix(DisplayTag.limit))
            } ?? [],
            position: json["position"]?.integer.flatMap { DisplaySettings.Position($0) },
            leader: json["follows"]?.display
        )
    }

    /// The name of a mirrored display begins with that of its node.
    private static let longestName = 512

    /// The document of a display after a restore.
    ///
    /// - Parameter count: The number of released leases.
    package func json(releasing count: Int) -> [UInt8] {
        JSONWriter.object { json in
            write(to: &json)
            json.member("released", count)
        }
    }

    /// The number of released leases in the document of a display after a restore; `nil` if it has none.
    package static func released(in json: JSONNode) -> Int? {
        json["released"]?.count.flatMap { $0 <= LeaseTable.limit ? $0 : nil }
    }

    package static func list(_ displays: [DisplayState], at revision: Revision, in epoch: Epoch) -> [UInt8] {
        JSONWriter.object { json in
            json.member("epoch", epoch.text)
            json.member("revision", revision.number)
            json.member("displays", displays)
        }
    }
}

extension DisplayState.Power: Document {
    package func write(to json: inout JSONWriter) {
        json.member("on", optional: isOn)
        json.member("baseline", baseline)
        json.member("switchable", isSwitchable)
        if let hasSignal { json.member("signal", hasSignal) }
    }

    init?(reading json: JSONNode) {
        guard let baseline = json["baseline"]?.bool, let isSwitchable = json["switchable"]?.bool else { return nil }
        self.init(
            isOn: json["on"]?.bool,
            baseline: baseline,
            isSwitchable: isSwitchable,
            hasSignal: json["signal"]?.bool
        )
    }
}

extension DisplayState.LeaseSummary: Document {
    package func write(to json: inout JSONWriter) {
        if let brightness { json.member("brightness", decimal: brightness.fraction) }
        json.member("leases", count)
        json.member("until", until)
        json.member("overridden", isOverridden)
    }

    init?(reading json: JSONNode) {
        guard let count = json["leases"]?.count, let isOverridden = json["overridden"]?.bool else { return nil }
        self.init(
            brightness: json["brightness"]?.brightness,
            count: count,
            until: json["until"]?.time,
            isOverridden: isOverridden
        )
    }
}

extension DisplayState.Automatic: Document {
    package func write(to json: inout JSONWriter) {
        json.member("enabled", isEnabled)
        json.member("heldUntil", heldUntil)
        json.member("waiting", waiting?.rawValue)
    }

    init?(reading json: JSONNode) {
        guard let isEnabled = json["enabled"]?.bool else { return nil }
        self.init(isEnabled: isEnabled, heldUntil: json["heldUntil"]?.time, waiting: json["waiting"]?.word())
    }
}

extension DisplayState.Writes: Document {
    package func write(to json: inout JSONWriter) {
        json.member("today", today)
        json.member("budget", budget)
    }

    init?(reading json: JSONNode) {
        guard let today = json["today"]?.count, let budget = json["budget"]?.count else { return nil }
        self.init(today: today, budget: budget)
    }
}

extension Unavailability: Document {
    package func write(to json: inout JSONWriter) {
        json.member("since", since)
        json.member("atLatest", isAtLatest)
    }

    init?(reading json: JSONNode) {
        guard let since = json["since"]?.time, let isAtLatest = json["atLatest"]?.bool else { return nil }
        self.init(since: since, isAtLatest: isAtLatest)
    }
}

extension Cause: Document {
    package func write(to json: inout JSONWriter) {
        json.member("kind", kind.rawValue)
        json.member("by", by)
        json.member("principal", principal?.text)
        json.member("reason", reason)
        json.member("at", at)
    }

    /// An unknown kind counts as `external`.
    init?(reading json: JSONNode) {
        guard let at = json["at"]?.time else { return nil }
        self.init(
            json["kind"]?.word() ?? .external,
            by: json["by"]?.text,
            principal: json["principal"]?.text.map { Principal($0) },
            reason: json["reason"]?.text,
            at: at
        )
    }
}

/// A display's power.
package struct PowerDocument: Document {
    private let state: DisplayState

    package init(_ state: DisplayState) { self.state = state }

    package func write(to json: inout JSONWriter) {
        json.member("display", state.id.text)
        state.power.write(to: &json)
    }
}

/// A display's automatic brightness: whether it is on, and what people taught it.
package struct AutomaticDocument: Document {
    private let state: DisplayState
    /// `nil` for a display of another daemon.
    private let lessons: [BrightnessCurve.Point]?

    package init(_ state: DisplayState, lessons: [BrightnessCurve.Point]?) {
        self.state = state
        self.lessons = lessons
    }

    package func write(to json: inout JSONWriter) {
        json.member("display", state.id.text)
        state.automatic.write(to: &json)
        guard let lessons else { return json.member("lessons", nil as String?) }
        json.member("lessons", lessons)
    }
}

/// A lesson: the brightness that a person chose in a light.
extension BrightnessCurve.Point: Document {
    package func write(to json: inout JSONWriter) {
        json.member("illuminance", decimal: illuminance.lux)
        json.member("brightness", decimal: brightness.fraction)
    }

    init?(reading json: JSONNode) {
        guard let illuminance = json["illuminance"]?.illuminance, let brightness = json["brightness"]?.brightness
        else { return nil }
        self.init(illuminance, brightness)
    }
}

/// The document of `node` events, and in `GET /v1/nodes`.
extension NodeState: Document {
    package func write(to json: inout JSONWriter) {
        json.member("name", name)
        json.member("topic", topic)
        json.member("version", version)
        json.member("online", optional: isOnline)
        json.member("since", since)
    }
}
