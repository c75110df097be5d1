// SPDX-License-Identifier: Apache-2.0

/// The commands of JSON-RPC and MQTT. Their params are the bodies of the REST resources.
package enum CommandMethod: Hashable, Sendable, CaseIterable, RawRepresentable {
    case set, step
    /// Grants a lease of this kind.
    case lease(LeaseKind)
    case power, preset, renew, release, restore, auto, settings

    package static let allCases: [CommandMethod] =
        [.set, .step] + LeaseKind.allCases.map { .lease($0) }
        + [.power, .preset, .renew, .release, .restore, .auto, .settings]

    package init?(rawValue: String) {
        guard let method = Self.allCases.first(where: { $0.rawValue == rawValue }) else { return nil }
        self = method
    }

    package var rawValue: String {
        switch self {
        case .set: "set"
        case .step: "step"
        case .lease(let kind): kind.rawValue
        case .power: "power"
        case .preset: "preset"
        case .renew: "renew"
        case .release: "release"
        case .restore: "restore"
        case .auto: "auto"
        case .settings: "settings"
        }
    }

    /// Whether it is for one display: it names a lease, or changes settings.
    package var isOfOneDisplay: Bool { self == .renew || self == .release || self == .settings }

    /// The displays of a body that names none.
    package var defaultTarget: DisplayTarget { self == .preset ? .all : .byDefault }

    /// Reads a command and the kind of its response.
    ///
    /// - Parameters:
    ///   - body: The params without `display`.
    ///   - lifespan: The lifespan of a lease whose body names none.
    package func command(
        from body: consuming RequestBody,
        lifespan: LeaseLifespan
    ) throws(Problem) -> (command: Command, kind: CommandExecution.ResponseKind) {
        switch self {
        case .set: return (try .set(from: body), .state)
        case .step: return (try .adjust(from: body), .state)
        case .auto: return (try .setAutomatic(from: body), .state)
        case .settings: return (try .configure(from: body), .state)
        case .restore: return (try .restore(from: body), .restored)
        case .power: return (try .power(from: body), .state)
        case .preset: return (try .preset(from: body), .state)
        case .lease(let kind): return (try .lease(kind, from: body, lifespan: lifespan), .lease)
        case .renew:
            let lease = try body.string("lease", length: 1...128)
            return (try .renew(lease.map { LeaseID($0) }, from: body), .lease)
        case .release:
            let lease = try body.string("lease", length: 1...128)
            return (Command(.release(LeaseID(try body.end(requiring: lease, "lease", missingLease)))), .state)
        }
    }
}

private let missingLease = "lease is required: the id in the response of boost."

/// Commands from the bodies of requests and the params of calls. Shapes and limits are those of `openapi.yaml`.
extension Command {
    /// `PUT …/brightness`: exactly one of `brightness`, `percent`, `raw`.
    package static func set(from body: consuming RequestBody) throws(Problem) -> Command {
        let level = try body.level()
        let attribution = try body.attribution()
        body.explain(["delta"], "PUT (set) sets the brightness; PATCH (step) moves it by delta.")
        let missing = "Send one of brightness (0 to 1), percent (0 to 100) and raw (a step of the display)."
        return attribution.attribute(.set(try body.end(requiring: level, "", missing)))
    }

    /// `PATCH …/brightness`: `{"delta":-0.1}` or `{"delta":{"percent":-10}}`.
    package static func adjust(from body: consuming RequestBody) throws(Problem) -> Command {
        let delta = try body.delta()
        let attribution = try body.attribution()
        body.explain(
            ["brightness", "percent", "raw", "level", "value"],
            "PATCH (step) moves the brightness by delta, such as {\"delta\":{\"percent\":-10}}; PUT (set) sets it."
        )
        let missing = "delta is required: a number from -1 to 1, or percent, such as {\"delta\":{\"percent\":-10}}."
        return attribution.attribute(.adjust(delta: try body.end(requiring: delta, "delta", missing)))
    }

    /// `PATCH …/leases/{lease}`: `{"ttl":60}`. The limits that depend on the lease's kind are checked with the lease.
    ///
    /// - Parameter id: `nil` if the body must have one and has none.
    package static func renew(_ id: LeaseID?, from body: consuming RequestBody) throws(Problem) -> Command {
        let change = LeaseRenewal(
            at: try body.level(),
            lifespan: try body.lifespan(),
            ttl: try body.ttl(),
            reason: try body.reason()
        )
        let transition = try body.transition()
        body.explain(["kind", "holder"], "A lease keeps its kind and its holder.")
        if id == nil { try body.reject("lease", missingLease) }
        let missing =
            "Send at least one of ttl (seconds from now), lifespan, brightness, percent, raw and reason, such as "
            + "{\"ttl\":60}."
        let wanted = try body.end(requiring: change == LeaseRenewal() ? nil : change, "", missing)
        return Command(.renew(id ?? LeaseID(""), wanted), transition: transition)
    }

    /// `PUT …/power`: `{"on":false}`.
    package static func power(from body: consuming RequestBody) throws(Problem) -> Command {
        let isOn = try body.bool("on")
        let attribution = try body.attribution()
        let missing = "on is required: true or false, such as {\"on\":false}."
        return attribution.attribute(.setPower(try body.end(requiring: isOn, "on", missing)))
    }

    /// `POST …/restore`: releases the holder's leases, or every lease.
    ///
    /// A body without a holder releases the caller's own boost, and no lease of another kind unless it names the kind.
    package static func restore(from body: consuming RequestBody) throws(Problem) -> Command {
        let releasesAll = try body.bool("all") ?? false
        let kind = try body.leaseKind()
        let attribution = try body.attribution()
        try body.end()
        if releasesAll { return attribution.attribute(.restoreAll(kind: kind)) }
        let implied: LeaseKind? = attribution.namesHolder ? nil : .boost
        return attribution.attribute(.restore(holder: attribution.holder, kind: kind ?? implied))
    }

    /// `PUT …/auto`: `{"enabled":true}`.
    package static func setAutomatic(from body: consuming RequestBody) throws(Problem) -> Command {
        let isEnabled = try body.bool("enabled")
        let forgets = try body.bool("forget") ?? false
        let attribution = try body.attribution()
        let missing = "enabled is required: true or false, such as {\"enabled\":true}."
        let wanted = try body.end(requiring: isEnabled, "enabled", missing)
        return attribution.attribute(.setAutomatic(wanted, forgetsLessons: forgets))
    }
}

extension RequestBody {
    /// Reads one of `brightness`, `percent` and `raw`; `nil` without any.
    mutating func level() throws(Problem) -> Command.Level? {
        let isSeveral = unreadCount(of: "brightness", "percent", "raw") > 1
        let fraction = try number("brightness", in: 0...1) { number in
            (1...100).contains(number) ? "For percent, send {\"percent\":\(Self.text(number))}." : nil
        }
        let percent = try number("percent", in: 0...100)
        let step = try integer("raw")
        if let step, step < 0 { try reject("raw", "raw must be at least 0, not \(step).") }
        if isSeveral { try reject(at: "", "Send only one of brightness, percent and raw.") }
        if let step { return .step(step) }
        return (fraction ?? percent.map { $0 / 100 }).map { .fraction(Brightness(clamping: $0)) }
    }

    /// Reads `delta`: a fraction, or an object with one of `brightness` and `percent`.
    fileprivate mutating func delta() throws(Problem) -> Double? {
        guard case .object(let members) = peek("delta") else {
            return try number("delta", in: -1...1) { number in
                abs(number) <= 100 ? "For percent, send {\"delta\":{\"percent\":\(Self.text(number))}}." : nil
            }
        }
        _ = value("delta")
        return try nested(members, at: "/delta") { inner throws(Problem) in
            let fraction = try inner.number("brightness", in: -1...1)
            let percent = try inner.number("percent", in: -100...100)
            if members.count > 1 { try inner.reject(at: "", "Send only one of brightness and percent in delta.") }
            return try inner.end(
                requiring: fraction ?? percent.map { $0 / 100 },
                "",
                "delta requires brightness (-1 to 1) or percent (-100 to 100)."
            )
        }
    }
}
