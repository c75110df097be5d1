// SPDX-License-Identifier: Apache-2.0

extension Command {
    /// `POST …/leases`, and the shortcuts of each kind. Everything but the kind is optional.
    ///
    /// - Parameter kind: The kind of a shortcut; `nil` if the body names it.
    package static func lease(_ kind: LeaseKind? = nil, from body: consuming RequestBody) throws(Problem) -> Command {
        let kind = try body.leaseKind(ofShortcut: kind)
        let level = try kind.defaultBrightness == nil ? nil : body.level()
        var ttl = try body.ttl(upTo: kind.longestTTL)
        let requestedLifespan = try body.lifespan()
        let attribution = try body.attribution()
        if let holder = attribution.holder, PresetHolder.includes(holder) {
            try body.reject("holder", "\"\(holder)\" is reserved for presets. Choose another holder.")
        }
        let lifespan = requestedLifespan ?? body.defaultLifespan
        if lifespan == .visible, attribution.holder == nil {
            try body.reject(
                "holder",
                "A visible \(kind.rawValue) requires a holder: it lasts while its holder has an open stream."
            )
        }
        try body.end()
        if kind == .sleep { ttl = try sleepTTL(ttl, of: lifespan, isRequested: requestedLifespan != nil) }
        let request = LeaseRequest(
            kind,
            at: level,
            lifespan: lifespan,
            ttl: ttl,
            holder: attribution.holder,
            reason: attribution.reason
        )
        return attribution.attribute(.grant(request))
    }

    /// The time limit of a sleep, which always has one, so that no display stays off for ever.
    private static func sleepTTL(
        _ ttl: Duration?,
        of lifespan: LeaseLifespan,
        isRequested: Bool
    ) throws(Problem) -> Duration {
        switch lifespan {
        case .lifetime:
            throw RequestBody.invalid(
                "lifespan",
                "A sleep cannot have the lifespan \"lifetime\", so that no display stays off for ever. Use \"custom\" "
                    + "with a ttl, or PUT /v1/power {\"on\":false}."
            )
        case .visible where ttl == nil && isRequested:
            throw RequestBody.invalid("ttl", "A visible sleep requires a ttl, so that no display stays off for ever.")
        case .visible, .custom:
            return ttl ?? LeaseRequest.defaultTTL
        }
    }
}

extension RequestBody {
    /// Returns the kind of a shortcut, or reads the required `kind`.
    fileprivate mutating func leaseKind(ofShortcut shortcut: LeaseKind?) throws(Problem) -> LeaseKind {
        if let shortcut { return shortcut }
        guard let kind = try leaseKind() else {
            throw Self.invalid("kind", "kind is required: \(LeaseKind.choice).")
        }
        return kind
    }
}
