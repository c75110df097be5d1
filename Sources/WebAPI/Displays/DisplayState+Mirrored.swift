// SPDX-License-Identifier: Apache-2.0
package import BrightnessCore

/// What other daemons say of their displays. Members that are not known here are passed over, since theirs may be newer than
/// ours; what has no meaning is no state at all.
extension DisplayState {
    /// - Parameters:
    ///   - json: The document that `json` writes.
    ///   - id: What it is called here.
    ///   - node: The daemon that has it.
    package init?(mirrored json: [UInt8], as id: DisplayID, of node: String) {
        guard let value = JSONValue(parsing: json), let name = value["name"]?.plainText,
            let brightness = value["brightness"]?.brightness, let baseline = value["baseline"]?.brightness,
            let step = value["raw"]?["value"]?.integer, let maximum = value["raw"]?["maximum"]?.integer,
            let range = BrightnessRange(maximum: maximum), (0...maximum).contains(step),
            let isAvailable = value["available"]?.bool, let cause = value["cause"].flatMap({ Cause(mirrored: $0) })
        else { return nil }
        self.init(
            id: id,
            name: "\(node): \(name)",
            kind: .remote,
            range: range,
            brightness: brightness,
            baseline: baseline,
            step: step,
            boost: value["boost"].flatMap { Boost(mirrored: $0) },
            automatic: Automatic(
                isEnabled: value["auto"]?["enabled"]?.bool ?? false,
                heldUntil: value["auto"]?["heldUntil"]?.time
            ),
            isAvailable: isAvailable,
            writes: value["writes"].flatMap { Writes(mirrored: $0) },
            cause: cause,
            revision: Revision(0)
        )
    }
}

extension Lease {
    /// Reads what `GET …/boosts` answers; `nil` for anything else.
    ///
    /// - Parameter id: What the display is called here.
    package static func all(mirrored json: [UInt8], on id: DisplayID, at now: Moment) -> [Lease]? {
        guard case .array(let values)? = JSONValue(parsing: json)?["boosts"] else { return nil }
        return values.compactMap { Lease(mirrored: $0, on: id, at: now) }
    }

    /// Reads one lease, as a boost is answered with.
    package init?(mirrored json: [UInt8], on id: DisplayID, at now: Moment) {
        guard let value = JSONValue(parsing: json) else { return nil }
        self.init(mirrored: value, on: id, at: now)
    }

    private init?(mirrored value: JSONValue, on id: DisplayID, at now: Moment) {
        guard let lease = value["id"]?.plainText, let brightness = value["brightness"]?.brightness,
            let lifespan = value["lifespan"]?.plainText.flatMap({ Lifespan(rawValue: $0) }),
            let grantedAt = value["grantedAt"]?.time
        else { return nil }
        self.init(
            id: LeaseID(lease),
            display: id,
            holder: value["holder"]?.plainText,
            grantedAt: grantedAt,
            brightness: brightness,
            reason: value["reason"]?.plainText,
            lifespan: lifespan,
            end: value["until"]?.time.map { until in
                now + .milliseconds(until.milliseconds - now.wall.milliseconds)
            }
        )
    }
}

extension DisplayState.Boost {
    fileprivate init?(mirrored value: JSONValue) {
        guard let brightness = value["brightness"]?.brightness, let leases = value["leases"]?.integer else {
            return nil
        }
        self.init(
            brightness: brightness,
            leases: leases,
            until: value["until"]?.time,
            isOverridden: value["overridden"]?.bool ?? false
        )
    }
}

extension DisplayState.Writes {
    fileprivate init?(mirrored value: JSONValue) {
        guard let today = value["today"]?.integer, let budget = value["budget"]?.integer else { return nil }
        self.init(today: today, budget: budget)
    }
}

extension Cause {
    /// A kind that is not known here is somebody else's doing all the same.
    fileprivate init?(mirrored value: JSONValue) {
        guard let at = value["at"]?.time else { return nil }
        let kind = value["kind"]?.plainText.flatMap { Kind(rawValue: $0) } ?? .external
        self.init(kind, by: value["by"]?.plainText, reason: value["reason"]?.plainText, at: at)
    }
}

extension JSONValue {
    fileprivate subscript(name: String) -> JSONValue? {
        if case .object(let members) = self { members[name] } else { nil }
    }

    /// A text that may be shown.
    fileprivate var plainText: String? {
        if case .string(let text) = self, text.isPlain(ofLength: 0...256) { text } else { nil }
    }

    fileprivate var bool: Bool? { if case .bool(let bool) = self { bool } else { nil } }

    fileprivate var integer: Int? { if case .number(let number) = self { Int(exactly: number) } else { nil } }

    fileprivate var brightness: Brightness? {
        if case .number(let number) = self { Brightness(fraction: number) } else { nil }
    }

    fileprivate var time: Timestamp? { plainText.flatMap { Timestamp(rfc3339: $0) } }
}
