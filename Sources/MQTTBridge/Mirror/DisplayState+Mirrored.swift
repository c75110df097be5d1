// SPDX-License-Identifier: Apache-2.0
import BrightnessAPI
import BrightnessCore

/// Reads the states of other daemons' displays. Unknown members are ignored, since a node may be newer; an invalid
/// document is rejected.
extension DisplayState {
    /// - Parameters:
    ///   - json: The document that `json` writes; at most `JSONValue.defaultLongest` bytes are parsed.
    ///   - id: The display's id here.
    ///   - reporter: Its node. The state keeps the node's own revision.
    init?(mirrored json: [UInt8], as id: DisplayID, from reporter: Reporter) {
        guard let value = JSONDocument(parsing: json)?.root, let name = value["name"]?.plainText,
            let brightness = value["brightness"]?.brightness, let baseline = value["baseline"]?.brightness,
            let step = value["raw"]?["value"]?.integer, let maximum = value["raw"]?["maximum"]?.integer,
            let range = BrightnessRange(maximum: maximum), (0...maximum).contains(step),
            let power = value["power"].flatMap({ Power(mirrored: $0) }), let unavailable = Self.unavailable(value),
            let automatic = value["auto"].flatMap({ Automatic(mirrored: $0) }),
            let cause = value["cause"].flatMap({ Cause(mirrored: $0, from: reporter) })
        else { return nil }
        self.init(
            id: id,
            name: "\(reporter.node.node): \(name)",
            kind: .remote,
            range: range,
            brightness: brightness,
            baseline: baseline,
            step: step,
            power: power,
            boost: value["boost"].flatMap { LeaseSummary(mirrored: $0) },
            dim: value["dim"].flatMap { LeaseSummary(mirrored: $0) },
            wake: value["wake"].flatMap { LeaseSummary(mirrored: $0) },
            sleep: value["sleep"].flatMap { LeaseSummary(mirrored: $0) },
            automatic: automatic,
            unavailable: unavailable,
            writes: value["writes"].flatMap { Writes(mirrored: $0) },
            cause: cause,
            revision: Revision(value["revision"]?.count.map { UInt64($0) } ?? 0),
            tags: value["tags"]?.tags ?? []
        )
    }

    /// The outer optional is `nil` where `unavailable` is missing or invalid, the inner one while it is available.
    private static func unavailable(_ value: JSONNode) -> Unavailability?? {
        guard let value = value["unavailable"] else { return nil }
        return value.isNull ? .some(nil) : Unavailability(mirrored: value).map { .some($0) }
    }
}

extension Lease {
    /// The longest list of leases, in bytes, that is parsed: `LeaseTable.limit` of them with short names.
    static let longestList = 262_144

    /// Reads the document of `GET …/leases`: at most `LeaseTable.limit` leases, the first of each id. Returns `nil` for
    /// anything else, and for more than `longestList` bytes.
    ///
    /// - Parameter id: The display's id here.
    static func all(
        mirrored json: [UInt8],
        on id: DisplayID,
        from reporter: Reporter,
        at now: Moment
    ) -> [Lease]? {
        guard let values = JSONDocument(parsing: json, upTo: longestList)?.root["leases"]?.elements else { return nil }
        var leases: [Lease] = []
        var known: Set<LeaseID> = []
        for value in values {
            guard leases.count < LeaseTable.limit else { break }
            guard let lease = Lease(mirrored: value, on: id, from: reporter, at: now) else { continue }
            if known.insert(lease.id).inserted { leases.append(lease) }
        }
        return leases
    }

    /// Reads one lease, the response to a boost.
    init?(mirrored value: JSONNode, on id: DisplayID, from reporter: Reporter, at now: Moment) {
        guard let lease = value["id"]?.leaseID, let name = Self.holder(of: value),
            let kind = value["kind"]?.string.flatMap({ LeaseKind(rawValue: $0) }),
            let brightness = kind.brightness(mirrored: value["brightness"]),
            let lifespan = value["lifespan"]?.plainText.flatMap({ LeaseLifespan(rawValue: $0) }),
            let grantedAt = value["grantedAt"]?.time, let until = Self.until(value),
            let principal = value["principal"]?.plainText.map({ reporter.principal($0) }),
            let isOverridden = value["overridden"]?.bool
        else { return nil }
        self.init(
            id: lease,
            kind: kind,
            display: id,
            holder: name,
            principal: principal,
            grantedAt: grantedAt,
            brightness: brightness,
            reason: value["reason"]?.plainText,
            lifespan: lifespan,
            end: until.map { now + .milliseconds($0.milliseconds - now.wall.milliseconds) },
            ending: value["ending"]?.time.map { now + .milliseconds($0.milliseconds - now.wall.milliseconds) },
            isOverridden: isOverridden
        )
    }

    /// The outer optional is `nil` where `until` is something else than a time: that lease is not one without an end.
    private static func until(_ value: JSONNode) -> Timestamp?? {
        guard let until = value["until"], !until.isNull else { return .some(nil) }
        return until.time.map { .some($0) }
    }

    /// The outer optional is `nil` where `holder` is something else than a name: that lease is not the anonymous
    /// holder's.
    private static func holder(of value: JSONNode) -> String?? {
        guard let holder = value["holder"], !holder.isNull else { return .some(nil) }
        return holder.plainText.map { .some($0) }
    }
}

extension DisplayState.LeaseSummary {
    fileprivate init?(mirrored value: JSONNode) {
        guard let leases = value["leases"]?.count, let isOverridden = value["overridden"]?.bool else { return nil }
        self.init(
            brightness: value["brightness"]?.brightness,
            leases: leases,
            until: value["until"]?.time,
            isOverridden: isOverridden
        )
    }
}

extension DisplayState.Power {
    fileprivate init?(mirrored value: JSONNode) {
        guard let baseline = value["baseline"]?.bool, let isSwitchable = value["switchable"]?.bool else { return nil }
        self.init(isOn: value["on"]?.bool, baseline: baseline, isSwitchable: isSwitchable)
    }
}

extension LeaseKind {
    /// The outer optional is `nil` for an invalid brightness, the inner one for a kind without a brightness.
    fileprivate func brightness(mirrored value: JSONNode?) -> Brightness?? {
        guard defaultBrightness != nil else { return .some(nil) }
        guard let brightness = value?.brightness else { return nil }
        return .some(brightness)
    }
}

extension Unavailability {
    fileprivate init?(mirrored value: JSONNode) {
        guard let since = value["since"]?.time, let isLatest = value["atLatest"]?.bool else { return nil }
        self.init(since: since, isLatest: isLatest)
    }
}

extension DisplayState.Automatic {
    fileprivate init?(mirrored value: JSONNode) {
        guard let isEnabled = value["enabled"]?.bool else { return nil }
        self.init(
            isEnabled: isEnabled,
            heldUntil: value["heldUntil"]?.time,
            waiting: value["waiting"]?.plainText.flatMap { Missing(rawValue: $0) }
        )
    }
}

extension DisplayState.Writes {
    fileprivate init?(mirrored value: JSONNode) {
        guard let today = value["today"]?.count, let budget = value["budget"]?.count else { return nil }
        self.init(today: today, budget: budget)
    }
}

extension Cause {
    /// An unknown kind counts as `external`.
    fileprivate init?(mirrored value: JSONNode, from reporter: Reporter) {
        guard let at = value["at"]?.time else { return nil }
        let kind = value["kind"]?.plainText.flatMap { Kind(rawValue: $0) } ?? .external
        self.init(
            kind,
            by: value["by"]?.plainText,
            principal: value["principal"]?.plainText.map { reporter.principal($0) },
            reason: value["reason"]?.plainText,
            at: at
        )
    }
}

extension JSONNode {
    /// A text without control characters.
    fileprivate var plainText: String? {
        string.flatMap { $0.isPlain(ofLength: 0...256) ? $0 : nil }
    }

    /// A lease id, safe in a path: 1 to 128 letters, digits, `_` and `-`.
    fileprivate var leaseID: LeaseID? {
        guard let text = string, (1...128).contains(text.utf8.count),
            text.utf8.allSatisfy({ byte in
                switch byte {
                case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "_"), UInt8(ascii: "-"):
                    true
                default: false
                }
            })
        else { return nil }
        return LeaseID(text)
    }

    fileprivate var integer: Int? { number.flatMap { Int(exactly: $0) } }

    /// A non-negative integer.
    fileprivate var count: Int? { integer.flatMap { $0 >= 0 ? $0 : nil } }

    fileprivate var brightness: Brightness? {
        number.flatMap { Brightness(fraction: $0) }
    }

    /// The first valid ones, at most `DisplayTag.limit`.
    fileprivate var tags: [DisplayTag]? {
        guard let elements else { return nil }
        return Array(elements.lazy.compactMap { $0.plainText.flatMap { DisplayTag($0) } }.prefix(DisplayTag.limit))
    }

    fileprivate var time: Timestamp? { plainText.flatMap { Timestamp(rfc3339: $0) } }
}
