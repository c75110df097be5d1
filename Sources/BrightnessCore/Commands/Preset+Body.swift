// SPDX-License-Identifier: Apache-2.0

extension Preset {
    /// `PUT /v1/presets/{name}`. Shapes and limits are those of `openapi.yaml`.
    package init(_ name: ResourceName, from body: consuming RequestBody) throws(Problem) {
        try body.checkName(name)
        let rules = try body.presetRules()
        let missing = "displays is required, such as {\"displays\":{\"all\":{\"brightness\":0.3}}}."
        guard let preset = Preset(name, try body.end(requiring: rules, "displays", missing)) else {
            throw RequestBody.invalid("displays", "displays has 1 to \(Preset.mostRules) members.")
        }
        self = preset
    }
}

extension Command {
    /// The call `preset`: a stored one by its `name`, or one value for all displays of the call.
    package static func preset(from body: consuming RequestBody) throws(Problem) -> Command {
        var source: PresetRequest.Source?
        let value = try body.presetValue()
        if let text = try body.string("name", length: 1...64) {
            if value != nil { try body.reject("name", "Send either name, or brightness and on.") }
            source = .named(try ResourceName(path: text, of: "A preset"))
        } else {
            source = value.map { .value($0) }
        }
        let missing = "name is required: that of a preset. brightness and on are one value in its place."
        return try apply(source, missing, from: body)
    }

    /// `POST /v1/presets/{name}/apply`: without `ttl` it sets the baselines, with it leases have the values.
    package static func apply(_ name: ResourceName, from body: consuming RequestBody) throws(Problem) -> Command {
        try apply(.named(name), "", from: body)
    }

    private static func apply(
        _ source: PresetRequest.Source?,
        _ missing: String,
        from body: consuming RequestBody
    ) throws(Problem) -> Command {
        let ttl = try body.ttl(upTo: PresetRequest.Terms.longestTTL)
        let attribution = try body.attribution()
        let wanted = try body.end(requiring: source, "name", missing)
        // A preset's leases name only a holder of the body, and not the caller's default one.
        let named = attribution.namesHolder ? attribution.holder : nil
        let terms = ttl.map { PresetRequest.Terms(ttl: $0, holder: named) }
        return attribution.attribute(.apply(PresetRequest(wanted, terms: terms)))
    }
}

extension RequestBody {
    /// Reads `displays`: for each key its value.
    fileprivate mutating func presetRules() throws(Problem) -> [Preset.Rule]? {
        guard let value = value("displays") else { return nil }
        guard case .object(let members) = value, (1...Preset.mostRules).contains(members.count) else {
            try reject(
                "displays",
                "displays must be an object with 1 to \(Preset.mostRules) members, such as "
                    + "{\"DP-1\":{\"brightness\":0.3},\"all\":{\"on\":false}}."
            )
            return nil
        }
        var rules: [Preset.Rule] = []
        for (key, value) in members.sorted(by: { $0.key < $1.key }) {
            let pointer = "/displays\(Self.pointer(to: key))"
            guard let displays = PresetDisplays(key) else {
                try reject(
                    at: pointer,
                    "\"\(key.plain(upTo: 64))\" is not an id, a pattern such as \"hall:*\", \"group:NAME\", "
                        + "\"tag:NAME\" or \"all\"."
                )
                continue
            }
            if let value = try presetValue(value, at: pointer) { rules.append(Preset.Rule(displays, value)) }
        }
        return rules
    }

    private mutating func presetValue(_ value: JSONValue, at pointer: String) throws(Problem) -> PresetValue? {
        guard case .object(let members) = value else {
            try reject(at: pointer, "A value is an object, such as {\"brightness\":0.3}, not \(value.excerpt).")
            return nil
        }
        return try nested(members, at: pointer) { inner throws(Problem) in
            let value = try inner.presetValue()
            return try inner.end(requiring: value, "", "A value has brightness (0 to 1), on (true or false), or both.")
        }
    }

    /// Reads `brightness` and `on`; `nil` without both.
    fileprivate mutating func presetValue() throws(Problem) -> PresetValue? {
        let brightness = try number("brightness", in: 0...1) { number in
            (1...100).contains(number) ? "For \(Self.text(number)) %, send \(Self.text(number / 100))." : nil
        }
        return PresetValue(brightness: brightness.map { Brightness(clamping: $0) }, isOn: try bool("on"))
    }
}
