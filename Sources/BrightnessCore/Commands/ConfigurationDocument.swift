// SPDX-License-Identifier: Apache-2.0

/// The document of `/v1/configuration`: what people have set on a machine once, apart from brightness, power and
/// leases.
package struct ConfigurationDocument: Document, Sendable {
    static let version = 1
    /// The maximum length of its text in bytes. A document that reaches every other limit is shorter.
    package static let longest = 2_097_152
    static let mostDisplays = 1_024

    /// In the order of their names. In a request each of these four is `nil` to keep the current ones.
    package let presets: [Preset]?
    package let schedules: [Schedule]?
    package let displays: [DisplayID: DisplaySettings]?
    /// The inner optional is `nil` for the location of the daemon's options.
    package let location: Location??

    package func write(to json: inout JSONWriter) {
        json.member("version", Self.version)
        json.member("presets", presets ?? [])
        json.member("schedules", schedules ?? [])
        let displays = (displays ?? [:]).sorted { $0.key.text < $1.key.text }
        json.member("displays", displays.map { SettingsDocument($0, $1) })
        json.member("location", location ?? nil)
    }
}

extension ConfigurationDocument {
    /// The facts of a daemon by which a document is checked.
    package struct Rules: Sendable {
        let groups: DisplayGroups
        /// Whether the options of the daemon have its location.
        let hasDefaultLocation: Bool
        let hasLocation: Bool
        /// Why a display cannot have a schedule, or these settings; `nil` if it can, or is not there now.
        let refusal: @Sendable (DisplayID, DisplaySettings?) -> String?

        package init(
            groups: DisplayGroups,
            hasDefaultLocation: Bool,
            hasLocation: Bool,
            refusal: @escaping @Sendable (DisplayID, DisplaySettings?) -> String? = { _, _ in nil }
        ) {
            (self.groups, self.refusal) = (groups, refusal)
            (self.hasDefaultLocation, self.hasLocation) = (hasDefaultLocation, hasLocation)
        }
    }

    /// `PUT /v1/configuration`. Shapes and limits are those of `openapi.yaml`.
    package init(from body: consuming RequestBody, by rules: Rules) throws(Problem) {
        let version = try body.integer("version")
        if let version, version != Self.version {
            try body.reject("version", "version must be \(Self.version), the only one that this daemon reads.")
        }
        location = try body.location("location")
        // Whether there is a location once the document is in force.
        let isLocated = location.map { $0 != nil || rules.hasDefaultLocation } ?? rules.hasLocation
        presets = try body.records("presets", upTo: PresetService.limit, by: \.name) { body throws(Problem) in
            try Preset(from: body, by: rules)
        }
        schedules = try body.records("schedules", upTo: Schedules.limit, by: \.name) { body throws(Problem) in
            try Schedule(from: body, by: rules, isLocated: isLocated)
        }
        let settings = try body.records("displays", upTo: Self.mostDisplays, by: \.display) { body throws(Problem) in
            try SettingsRecord(from: &body, by: rules)
        }
        displays = settings.map { Dictionary($0.map { ($0.display, $0.settings) }) { _, last in last } }
        _ = try body.end(requiring: version, "version", "version is required: \(Self.version).")
    }
}

extension Preset {
    fileprivate init(from body: RequestBody, by rules: ConfigurationDocument.Rules) throws(Problem) {
        try self.init(body.resourceName(), from: body)
        for case .group(let group) in self.rules.map(\.displays) where rules.groups[group.text] == nil {
            let pointer = "/displays\(RequestBody.pointer(to: "\(GroupName.prefix)\(group.text)"))"
            throw Problem(.invalidBody, "The daemon has no group \"\(group.text)\" (--group).", at: pointer)
        }
    }
}

extension Schedule {
    fileprivate init(
        from body: RequestBody,
        by rules: ConfigurationDocument.Rules,
        isLocated: Bool
    ) throws(Problem) {
        try self.init(body.resourceName(), from: body)
        if needsLocation, !isLocated {
            throw RequestBody.invalid(
                from.isOfSun ? "from" : "to",
                "Sunrise and sunset require a location: add it to the document, or start the daemon with --location."
            )
        }
        guard case .named(let ids) = displays else { return }
        for id in ids { if let why = rules.refusal(id, nil) { throw RequestBody.invalid("displays", why) } }
    }
}

extension SettingsRecord {
    fileprivate init(from body: inout RequestBody, by rules: ConfigurationDocument.Rules) throws(Problem) {
        body.explain(["deviceName"], "It is not a setting; leave it out.")
        let id = try body.string("display", length: 1...64).flatMap { DisplayID($0) }
        var settings = DisplaySettings.none
        settings.apply(try body.settings())
        self.init(try body.end(requiring: id, "display", "display is required: the id of a display."), settings)
        if let why = rules.refusal(display, settings) { throw RequestBody.invalid("display", why) }
    }
}

extension RequestBody {
    fileprivate func resourceName() throws(Problem) -> ResourceName {
        if case .string(let text)? = peek("name"), let name = ResourceName(text) { return name }
        throw Self.invalid("name", "name is required: 1 to 64 characters, no \"/\", and no space at an end.")
    }

    /// The outer optional is `nil` if the member is missing; the inner one is `nil` if the member is `null`.
    fileprivate mutating func location(_ name: String) throws(Problem) -> Location?? {
        switch value(name) {
        case nil: return nil
        case .null: return .some(nil)
        case .object(let members):
            return try nested(members, at: Self.pointer(to: name)) { body throws(Problem) in
                try Location(from: body)
            }
        case let other?:
            try reject(name, "\(name) must be null or an object with latitude and longitude, not \(other.excerpt).")
            return nil
        }
    }

    /// Reads an array of objects, each with a key of its own. `nil` if the member is missing or invalid.
    fileprivate mutating func records<Record, Key: Hashable>(
        _ name: String,
        upTo limit: Int,
        by key: KeyPath<Record, Key>,
        _ read: (inout RequestBody) throws(Problem) -> Record
    ) throws(Problem) -> [Record]? {
        guard let value = value(name) else { return nil }
        guard case .array(let elements) = value, elements.count <= limit else {
            try reject(name, "\(name) must be an array of at most \(limit) objects.")
            return nil
        }
        var (records, keys) = ([Record](), Set<Key>())
        for (index, element) in elements.enumerated() {
            let pointer = "\(Self.pointer(to: name))/\(index)"
            guard case .object(let members) = element else {
                try reject(at: pointer, "\(name) has objects, not \(element.excerpt).")
                continue
            }
            guard let record = try nested(members, at: pointer, read) else { continue }
            if !keys.insert(record[keyPath: key]).inserted {
                try reject(at: pointer, "\(name) has this one twice.")
            }
            records.append(record)
        }
        return records
    }
}

extension Location {
    /// `PUT /v1/location`: `{"latitude":52.52,"longitude":13.4}`.
    package init(from body: consuming RequestBody) throws(Problem) {
        let latitude = try body.number("latitude", in: -90...90)
        let longitude = try body.number("longitude", in: -180...180)
        body.explain(["source"], "It is computed; leave it out.")
        let known = latitude.flatMap { latitude in
            longitude.flatMap { Location(latitude: latitude, longitude: $0) }
        }
        let (missing, example) = latitude == nil ? ("latitude", "52.52") : ("longitude", "13.40")
        self = try body.end(requiring: known, missing, "\(missing) is required, in degrees such as \(example).").rounded
    }
}
