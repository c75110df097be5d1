// SPDX-License-Identifier: Apache-2.0
package import BrightnessCore

/// The commands of JSON-RPC and MQTT. Their params are the bodies of the REST resources.
package enum CommandMethod: String, CaseIterable, Sendable {
    case set, step, boost, dim, wake, sleep, power, renew, release, restore, auto

    /// The kind of lease that it grants; `nil` for other methods.
    package var leaseKind: LeaseKind? {
        switch self {
        case .boost: .boost
        case .dim: .dim
        case .wake: .wake
        case .sleep: .sleep
        case .set, .step, .power, .renew, .release, .restore, .auto: nil
        }
    }

    /// Whether it names a lease, which belongs to one display.
    package var isOfOneDisplay: Bool { self == .renew || self == .release }

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
        case .restore: return (try .restore(from: body), .state)
        case .power: return (try .power(from: body), .state)
        case .boost: return (try .lease(.boost, from: body, lifespan: lifespan), .lease)
        case .dim: return (try .lease(.dim, from: body, lifespan: lifespan), .lease)
        case .wake: return (try .lease(.wake, from: body, lifespan: lifespan), .lease)
        case .sleep: return (try .lease(.sleep, from: body, lifespan: lifespan), .lease)
        case .renew:
            let lease = try body.lease()
            return (try .renew(lease, from: body), .lease)
        case .release:
            let lease = try body.lease()
            try body.end()
            return (Command(.release(lease)), .state)
        }
    }
}

extension RequestBody {
    fileprivate mutating func lease() throws(Problem) -> LeaseID {
        guard let id = try string("lease", length: 1...128) else {
            throw Self.invalid("lease", "lease is required: the id in the response of boost.")
        }
        return LeaseID(id)
    }
}

/// Commands from the bodies of requests and the params of calls. Shapes and limits are those of `openapi.yaml`.
extension Command {
    /// `PUT …/brightness`: exactly one of `brightness`, `percent`, `raw`.
    package static func set(from body: consuming RequestBody) throws(Problem) -> Command {
        let fraction = try body.number("brightness", in: 0...1)
        let percent = try body.number("percent", in: 0...100)
        let step = try body.integer("raw")
        let attribution = try body.attribution()
        try body.end()
        let levels: [Level] = [
            (fraction ?? percent.map { $0 / 100 }).map { .fraction(Brightness(clamping: $0)) },
            step.map { .step($0) },
        ].compactMap { $0 }
        guard levels.count == 1, let level = levels.first, fraction == nil || percent == nil else {
            throw Problem(.invalidBody, "Send exactly one of brightness (0 to 1), percent (0 to 100) and raw.", at: "")
        }
        return attribution.attribute(.set(level))
    }

    /// `PATCH …/brightness`: `{"delta":-0.1}`.
    package static func adjust(from body: consuming RequestBody) throws(Problem) -> Command {
        let delta = try body.number("delta", in: -1...1)
        let attribution = try body.attribution()
        try body.end()
        guard let delta else {
            throw RequestBody.invalid("delta", "delta is required: a number from -1 to 1, such as {\"delta\":-0.1}.")
        }
        return attribution.attribute(.adjust(delta: delta))
    }

    /// `PATCH …/boosts/{lease}`: `{"ttl":60}`.
    package static func renew(_ id: LeaseID, from body: consuming RequestBody) throws(Problem) -> Command {
        let ttl = try body.ttl()
        try body.end()
        guard let ttl else {
            throw RequestBody.invalid("ttl", "ttl is required: seconds from now, such as {\"ttl\":60}.")
        }
        return Command(.renew(id, ttl: ttl))
    }

    /// `PUT …/power`: `{"on":false}`.
    package static func power(from body: consuming RequestBody) throws(Problem) -> Command {
        let isOn = try body.bool("on")
        let attribution = try body.attribution()
        try body.end()
        guard let isOn else {
            throw RequestBody.invalid("on", "on is required: true or false, such as {\"on\":false}.")
        }
        return attribution.attribute(.setPower(isOn))
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
        try body.end()
        guard let isEnabled else {
            throw RequestBody.invalid("enabled", "enabled is required: true or false, such as {\"enabled\":true}.")
        }
        return attribution.attribute(.setAutomatic(isEnabled, forgetsLessons: forgets))
    }
}
