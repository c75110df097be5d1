// SPDX-License-Identifier: Apache-2.0
package import BrightnessCore

/// The bodies of requests, and the params of calls, as commands. Shapes and limits are those of `openapi.yaml`.
extension Command {
    /// `PUT …/brightness`: exactly one of `brightness`, `percent`, `raw`.
    package static func set(from body: consuming RequestBody) throws(Problem) -> Command {
        let fraction = try body.number("brightness", in: 0...1)
        let percent = try body.number("percent", in: 0...100)
        let step = try body.integer("raw")
        let signature = try body.signature()
        try body.end()
        let levels: [Level] = [
            (fraction ?? percent.map { $0 / 100 }).map { .fraction(Brightness(clamping: $0)) },
            step.map { .step($0) },
        ].compactMap { $0 }
        guard levels.count == 1, let level = levels.first, fraction == nil || percent == nil else {
            throw Problem(.invalidBody, "Say exactly one of brightness (0 to 1), percent (0 to 100) and raw.", at: "")
        }
        return signature.sign(.set(level))
    }

    /// `PATCH …/brightness`: `{"delta":-0.1}`.
    package static func adjust(from body: consuming RequestBody) throws(Problem) -> Command {
        let delta = try body.number("delta", in: -1...1)
        let signature = try body.signature()
        try body.end()
        guard let delta else { throw RequestBody.invalid("delta", "Say by how much, from -1 to 1: {\"delta\":-0.1}.") }
        return signature.sign(.adjust(delta: delta))
    }

    /// `POST …/boosts`: everything is optional.
    ///
    /// - Parameter usual: The lifespan where none is said.
    package static func boost(
        from body: consuming RequestBody,
        lifespan usual: Lifespan = .custom
    ) throws(Problem) -> Command {
        let brightness = try body.number("brightness", in: 0...1).map { Brightness(clamping: $0) } ?? .full
        let ttl = try body.ttl()
        let lifespan = try body.lifespan() ?? usual
        let signature = try body.signature()
        try body.end()
        if lifespan == .visible, signature.holder == nil {
            throw RequestBody.invalid("holder", "A visible boost needs a holder, whose open streams it is bound to.")
        }
        let boost = BoostRequest(
            brightness: brightness,
            lifespan: lifespan,
            ttl: ttl,
            holder: signature.holder,
            reason: signature.reason
        )
        return signature.sign(.boost(boost))
    }

    /// `PATCH …/boosts/{lease}`: `{"ttl":60}`.
    package static func renew(_ id: LeaseID, from body: consuming RequestBody) throws(Problem) -> Command {
        let ttl = try body.ttl()
        try body.end()
        guard let ttl else { throw RequestBody.invalid("ttl", "Say for how many seconds from now: {\"ttl\":60}.") }
        return Command(.renew(id, ttl: ttl))
    }

    /// `POST …/restore`: the holder's own lease, or everybody's.
    package static func restore(from body: consuming RequestBody) throws(Problem) -> Command {
        let releasesAll = try body.bool("all") ?? false
        let signature = try body.signature()
        try body.end()
        return signature.sign(releasesAll ? .restoreAll : .restore(holder: signature.holder))
    }

    /// `PUT …/auto`: `{"enabled":true}`.
    package static func setAutomatic(from body: consuming RequestBody) throws(Problem) -> Command {
        let isEnabled = try body.bool("enabled")
        let forgets = try body.bool("forget") ?? false
        let signature = try body.signature()
        try body.end()
        guard let isEnabled else { throw RequestBody.invalid("enabled", "Say true or false: {\"enabled\":true}.") }
        return signature.sign(.setAutomatic(isEnabled, forgetsLessons: forgets))
    }
}

/// What every change may say: who asks and why, and how long the panel may take.
private struct Signature {
    let holder: String?
    let reason: String?
    let transition: Duration?

    func sign(_ action: Command.Action) -> Command {
        Command(action, by: holder, reason: reason, transition: transition)
    }
}

extension RequestBody {
    fileprivate mutating func signature() throws(Problem) -> Signature {
        let transition = try number("transition", in: 0...3_600).map { Duration.seconds($0) }
        let holder = try string("holder", length: 1...128) ?? asker
        if let holder, ReservedHolder.includes(holder) {
            throw Self.invalid("holder", "\"\(holder)\" is a holder of the daemon itself. Choose another name.")
        }
        return Signature(
            holder: holder,
            reason: try string("reason", length: 0...256),
            transition: transition
        )
    }

    fileprivate mutating func lifespan() throws(Problem) -> Lifespan? {
        guard let name = try string("lifespan", length: 0...16) else { return nil }
        guard let lifespan = Lifespan(rawValue: name) else {
            throw Self.invalid("lifespan", "lifespan is \"custom\", \"visible\" or \"lifetime\".")
        }
        return lifespan
    }

    fileprivate mutating func ttl() throws(Problem) -> Duration? {
        let longest = Double(BoostRequest.longestTTL.components.seconds)
        return try number("ttl", in: 0.001...longest).map { .seconds($0) }
    }
}
