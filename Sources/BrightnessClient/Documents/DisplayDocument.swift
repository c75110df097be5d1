// SPDX-License-Identifier: Apache-2.0

/// The state of one display, as far as the client shows it.
///
/// Only `id` must be there.
package struct DisplayDocument: Equatable {
    package var id: String
    package var name: String?
    package var kind: String?
    package var brightness: Double?
    package var baseline: Double?
    package var raw: Raw?
    package var boost: Summary?
    package var dim: Summary?
    package var wake: Summary?
    package var sleep: Summary?
    /// Whether the panel is on; `nil` if it is unknown.
    package var isOn: Bool?
    package var automatic: Automatic?
    package var isAvailable = true
    /// `nil` while it is available.
    package var unavailable: Unavailable?
    package var cause: ChangeCause?
    /// After a restore, how many leases it released.
    package var released: Int?

    /// The panel's own step.
    package struct Raw: Equatable {
        package var value: Int
        package var maximum: Int
    }

    /// All leases of one kind together.
    package struct Summary: Equatable {
        package var brightness: Double?
        package var leases: Int
        package var until: Time?
        package var isOverridden: Bool
    }

    package struct Automatic: Equatable {
        package var isEnabled: Bool
        package var heldUntil: Time?
        /// What is missing while nothing can be followed, such as `sensor`.
        package var waiting: String?
    }

    package struct Unavailable: Equatable {
        package var since: Time
        /// Whether it may have begun earlier.
        package var isLatest: Bool
    }

    package init(id: String) { self.id = id }

    /// Whether a lease is in force.
    ///
    /// - Parameter kind: `nil` for any kind.
    func hasLease(of kind: LeaseDocument.Kind?) -> Bool {
        switch kind {
        case .boost?: boost != nil
        case .dim?: dim != nil
        case .wake?: wake != nil
        case .sleep?: sleep != nil
        case nil: boost != nil || dim != nil || wake != nil || sleep != nil
        }
    }

    package init?(_ json: JSON) {
        guard let id = json["id"]?.text, json["lifespan"] == nil else { return nil }
        self.init(id: id)
        name = json["name"]?.text
        kind = json["kind"]?.text
        brightness = json["brightness"]?.number
        baseline = json["baseline"]?.number
        if let value = json["raw"]?["value"]?.number, let maximum = json["raw"]?["maximum"]?.number {
            raw = Raw(value: Int(value), maximum: Int(maximum))
        }
        boost = json["boost"].map(Summary.init)
        dim = json["dim"].map(Summary.init)
        wake = json["wake"].map(Summary.init)
        sleep = json["sleep"].map(Summary.init)
        isOn = json["power"]?["on"]?.bool
        automatic = json["auto"].flatMap { auto in
            auto["enabled"]?.bool.map {
                Automatic(
                    isEnabled: $0,
                    heldUntil: auto["heldUntil"]?.text.flatMap(Time.init),
                    waiting: auto["waiting"]?.text
                )
            }
        }
        isAvailable = json["available"]?.bool ?? true
        unavailable = json["unavailable"].flatMap { unavailable in
            unavailable["since"]?.text.flatMap(Time.init).map {
                Unavailable(since: $0, isLatest: unavailable["atLatest"]?.bool ?? false)
            }
        }
        cause = json["cause"].flatMap(ChangeCause.init)
        released = json["released"]?.number.map { Int($0) }
    }
}

extension DisplayDocument.Summary {
    fileprivate init(_ json: JSON) {
        brightness = json["brightness"]?.number
        leases = Int(json["leases"]?.number ?? 1)
        until = json["until"]?.text.flatMap(Time.init)
        isOverridden = json["overridden"]?.bool ?? false
    }
}

/// What changed a display last, who and why.
package struct ChangeCause: Equatable {
    package var kind: String
    package var by: String?
    package var reason: String?
    package var at: Time?

    package init(kind: String, by: String? = nil, reason: String? = nil, at: Time? = nil) {
        self.kind = kind
        self.by = by
        self.reason = reason
        self.at = at
    }

    init?(_ json: JSON) {
        guard let kind = json["kind"]?.text else { return nil }
        self.init(
            kind: kind,
            by: json["by"]?.text,
            reason: json["reason"]?.text,
            at: json["at"]?.text.flatMap(Time.init)
        )
    }
}
