// SPDX-License-Identifier: Apache-2.0
package import BrightnessCore

/// The commands of JSON-RPC and MQTT. Their params are the bodies of the REST resources.
package enum CommandMethod: String, CaseIterable, Sendable {
    case set, step, boost, renew, release, restore, auto

    /// Whether it names a lease, which belongs to one display.
    package var isOfOneDisplay: Bool { self == .renew || self == .release }

    /// Reads a command and the kind of its response.
    ///
    /// - Parameters:
    ///   - body: The params without `display`.
    ///   - lifespan: The lifespan of a boost whose body names none.
    package func command(
        from body: consuming RequestBody,
        lifespan: LeaseLifespan
    ) throws(Problem) -> (command: Command, kind: CommandExecution.ResponseKind) {
        switch self {
        case .set: return (try .set(from: body), .state)
        case .step: return (try .adjust(from: body), .state)
        case .auto: return (try .setAutomatic(from: body), .state)
        case .restore: return (try .restore(from: body), .state)
        case .boost: return (try .boost(from: body, lifespan: lifespan), .lease)
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

    /// `POST …/boosts`: everything is optional.
    ///
    /// - Parameter defaultLifespan: The lifespan if the body names none.
    package static func boost(
        from body: consuming RequestBody,
        lifespan defaultLifespan: LeaseLifespan = .custom
    ) throws(Problem) -> Command {
        let brightness = try body.number("brightness", in: 0...1).map { Brightness(clamping: $0) } ?? .full
        let ttl = try body.ttl()
        let lifespan = try body.lifespan() ?? defaultLifespan
        let attribution = try body.attribution()
        try body.end()
        if lifespan == .visible, attribution.holder == nil {
            throw RequestBody.invalid(
                "holder",
                "A visible boost requires a holder: it lasts while its holder has an open stream."
            )
        }
        let boost = BoostRequest(
            brightness: brightness,
            lifespan: lifespan,
            ttl: ttl,
            holder: attribution.holder,
            reason: attribution.reason
        )
        return attribution.attribute(.boost(boost))
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

    /// `POST …/restore`: releases the holder's lease, or every lease.
    package static func restore(from body: consuming RequestBody) throws(Problem) -> Command {
        let releasesAll = try body.bool("all") ?? false
        let attribution = try body.attribution()
        try body.end()
        return attribution.attribute(releasesAll ? .restoreAll : .restore(holder: attribution.holder))
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

/// The optional members of every change: holder, reason and transition.
private struct ChangeAttribution {
    let holder: String?
    let reason: String?
    let transition: Duration?

    func attribute(_ action: Command.Action) -> Command {
        Command(action, by: holder, reason: reason, transition: transition)
    }
}

extension RequestBody {
    fileprivate mutating func attribution() throws(Problem) -> ChangeAttribution {
        let transition = try number("transition", in: 0...3_600).map { Duration.seconds($0) }
        let holder = try string("holder", length: 1...128) ?? defaultHolder
        if let holder, ReservedHolder.includes(holder) {
            throw Self.invalid("holder", "\"\(holder)\" is reserved for the daemon. Choose another holder.")
        }
        return ChangeAttribution(
            holder: holder,
            reason: try string("reason", length: 0...256),
            transition: transition
        )
    }

    fileprivate mutating func lifespan() throws(Problem) -> LeaseLifespan? {
        guard let name = try string("lifespan", length: 0...16) else { return nil }
        guard let lifespan = LeaseLifespan(rawValue: name) else {
            throw Self.invalid("lifespan", "lifespan must be \"custom\", \"visible\" or \"lifetime\", not \"\(name)\".")
        }
        return lifespan
    }

    fileprivate mutating func ttl() throws(Problem) -> Duration? {
        let longest = Double(BoostRequest.longestTTL.components.seconds)
        return try number("ttl", in: 0.001...longest).map { .seconds($0) }
    }
}
