// SPDX-License-Identifier: Apache-2.0

/// A command of clients: its word in JSON-RPC, MQTT and Home Assistant's actions, and its REST resource, which the
/// command line uses. Its params are the body of the resource.
package struct CommandMethod: RawRepresentable, Hashable, Sendable, CaseIterable {
    package static let set = Self("set", resource: "brightness", read: Command.set(from:))
    package static let move = Self("move", "PATCH", resource: "brightness", read: Command.move(from:))
    package static let power = Self("power", feature: .power, read: Command.power(from:))
    package static let auto = Self("auto", read: Command.setAutomatic(from:))
    package static let settings = Self("settings", isOfOne: true, feature: .settings, read: Command.configure(from:))
    package static let preset = Self("preset", on: .all, feature: .presets, read: Command.preset(from:))
    package static let restore = Self("restore", "POST", read: Command.restore(from:))
    package static let renew = Self("renew", "PATCH", isOfOne: true, read: Command.renew(from:))
    package static let release = Self("release", "DELETE", isOfOne: true, read: Command.release(from:))

    package static func lease(_ kind: LeaseKind) -> Self {
        Self(kind.rawValue, "POST") { body throws(Problem) in try .lease(kind, from: body) }
    }

    package static let allCases: [CommandMethod] =
        [.set, .move] + LeaseKind.allCases.map(CommandMethod.lease)
        + [.power, .preset, .renew, .release, .restore, .auto, .settings]

    /// A member of a node's capabilities, which another daemon may not have yet.
    package enum Feature: String, CaseIterable, Sendable {
        case power
        case settings
        case presets
        /// A command for `all` that names some displays.
        case lists = "displays"
        /// A command that names the principal of a gateway's client.
        case principals
    }

    package let rawValue: String
    /// The method of the REST resource. The body of a POST may be left out.
    package let verb: String
    /// The last part of the resource's path.
    package let resource: String
    /// Whether it is for one display: it names a lease, or changes settings.
    package let isOfOneDisplay: Bool
    /// The displays of a body that names none.
    package let defaultTarget: DisplayTarget
    package let feature: Feature?
    private let read: @Sendable (consuming RequestBody) throws(Problem) -> Command

    private init(
        _ word: String,
        _ verb: String = "PUT",
        resource: String? = nil,
        isOfOne: Bool = false,
        on defaultTarget: DisplayTarget = .defaultDisplay,
        feature: Feature? = nil,
        read: @escaping @Sendable (consuming RequestBody) throws(Problem) -> Command
    ) {
        (rawValue, self.verb, self.resource) = (word, verb, resource ?? word)
        (isOfOneDisplay, self.defaultTarget, self.feature, self.read) = (isOfOne, defaultTarget, feature, read)
    }

    package init?(rawValue: String) {
        guard let method = Self.allCases.first(where: { $0.rawValue == rawValue }) else { return nil }
        self = method
    }

    /// - Parameters:
    ///   - body: The params without `display`.
    ///   - lifespan: The lifespan of a lease whose body names none.
    package func command(
        from body: consuming RequestBody,
        lifespan: LeaseLifespan = .custom
    ) throws(Problem) -> Command {
        body.defaultLifespan = lifespan
        return try read(body)
    }

    /// - Parameter members: Those of a body of the daemon's own.
    package func command(with members: [String: JSONValue]) throws(Problem) -> Command {
        try command(from: RequestBody(params: members, by: nil))
    }
}

extension Command {
    /// Writes the members that the command's method reads.
    ///
    /// - Returns: The method; `nil` for work of the daemon itself, which has none.
    package func write(to json: inout JSONWriter) -> CommandMethod? {
        var (method, holder): (CommandMethod, String?) = (.set, by)
        switch action {
        case .set(let level):
            level.write(to: &json)
        case .move(let delta):
            method = .move
            json.member("delta", decimal: delta)
        case .grant(let request):
            (method, holder) = (.lease(request.kind), request.holder)
            LeaseRenewal(at: request.level, lifespan: request.lifespan, ttl: request.ttl).write(to: &json)
        case .renew(let lease, let change):
            json.member("lease", lease.text)
            change.write(to: &json)
            writeTransition(to: &json)
            return .renew
        case .release(let lease):
            json.member("lease", lease.text)
            return .release
        case .setPower(let isOn):
            method = .power
            json.member("on", isOn)
        case .apply(let request):
            method = .preset
            if case .named(let name) = request.source { json.member("name", name.text) }
            if case .value(let value) = request.source { value.write(to: &json) }
            if let terms = request.terms {
                json.member("ttl", decimal: terms.ttl / .seconds(1))
                holder = terms.holder
            }
        case .restore(let name, let kind):
            (method, holder) = (.restore, name)
            if let kind { json.member("kind", kind.rawValue) }
        case .restoreAll(let kind, _):
            method = .restore
            json.member("all", true)
            if let kind { json.member("kind", kind.rawValue) }
        case .setAutomatic(let isEnabled, let forgetsLessons):
            method = .auto
            json.member("enabled", isEnabled)
            json.member("forget", forgetsLessons)
        case .configure(let change):
            method = .settings
            if let name = change.name { json.member("name", name?.text) }
            if let curve = change.curve {
                json.name("curve")
                if let curve { curve.write(to: &json) } else { json.null() }
            }
            if let position = change.position { json.member("position", optional: position?.number) }
        case .follow, .tick, .refresh, .clockSet:
            return nil
        }
        json.member("holder", holder)
        json.member("reason", reason)
        writeTransition(to: &json)
        return method
    }

    private func writeTransition(to json: inout JSONWriter) {
        if let transition { json.member("transition", decimal: transition / .seconds(1)) }
    }
}

extension BrightnessLevel {
    fileprivate func write(to json: inout JSONWriter) {
        switch self {
        case .fraction(let brightness): json.member("brightness", decimal: brightness.fraction)
        case .step(let step): json.member("raw", step)
        }
    }
}

extension LeaseRenewal {
    fileprivate func write(to json: inout JSONWriter) {
        level?.write(to: &json)
        if let lifespan { json.member("lifespan", lifespan.rawValue) }
        if let ttl { json.member("ttl", decimal: ttl / .seconds(1)) }
        if let reason { json.member("reason", reason) }
    }
}

private let missingLease = "lease is required: the id in the response of boost."

/// Commands from the bodies of requests and the params of calls. Shapes and limits are those of `openapi.yaml`.
extension Command {
    /// `PUT …/brightness`: exactly one of `brightness`, `percent`, `raw`.
    package static func set(from body: consuming RequestBody) throws(Problem) -> Command {
        let level = try body.level()
        let attribution = try body.attribution()
        body.explain(["delta"], "PUT (set) sets the brightness; PATCH (move) moves it by delta.")
        let missing = "Send one of brightness (0 to 1), percent (0 to 100) and raw (a step of the display)."
        return attribution.attribute(.set(try body.end(requiring: level, "", missing)))
    }

    /// `PATCH …/brightness`: `{"delta":-0.1}` or `{"delta":{"percent":-10}}`.
    package static func move(from body: consuming RequestBody) throws(Problem) -> Command {
        let delta = try body.delta()
        let attribution = try body.attribution()
        body.explain(
            ["brightness", "percent", "raw", "level", "value"],
            "PATCH (move) moves the brightness by delta, such as {\"delta\":{\"percent\":-10}}; PUT (set) sets it."
        )
        let missing = "delta is required: a number from -1 to 1, or percent, such as {\"delta\":{\"percent\":-10}}."
        return attribution.attribute(.move(delta: try body.end(requiring: delta, "delta", missing)))
    }

    static func renew(from body: consuming RequestBody) throws(Problem) -> Command {
        let lease = try body.string("lease", length: 1...128)
        return try .renew(lease.map { LeaseID($0) }, from: body)
    }

    static func release(from body: consuming RequestBody) throws(Problem) -> Command {
        let lease = try body.string("lease", length: 1...128)
        return Command(.release(LeaseID(try body.end(requiring: lease, "lease", missingLease))))
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
        // Without an id, `end` has thrown.
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
    mutating func level() throws(Problem) -> BrightnessLevel? {
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
