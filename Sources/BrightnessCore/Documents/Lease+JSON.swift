// SPDX-License-Identifier: Apache-2.0
import Support

/// The document of a lease, in responses, lists and events.
extension Lease: Document {
    package func write(to json: inout JSONWriter) {
        json.member("id", id.text)
        json.member("kind", kind.rawValue)
        json.member("display", display.text)
        json.member("holder", holder)
        // As in causes.
        json.member("by", holder)
        json.member("principal", principal.text)
        if let brightness { json.member("brightness", decimal: brightness.fraction) }
        json.member("lifespan", lifespan.rawValue)
        json.member("reason", reason)
        json.member("grantedAt", grantedAt)
        json.member("until", end?.wall)
        if let graceEnd { json.member("ending", graceEnd.wall) }
        json.member("overridden", isOverridden)
    }

    /// - Parameter now: Converts the times of the document, which are dates.
    package init?(reading json: JSONNode, at now: Moment) {
        guard let id = json["id"]?.leaseID, let kind: LeaseKind = json["kind"]?.word(),
            let display = json["display"]?.display, let lifespan: LeaseLifespan = json["lifespan"]?.word(),
            let principal = json["principal"]?.text, let grantedAt = json["grantedAt"]?.time,
            let isOverridden = json["overridden"]?.bool
        else { return nil }
        let brightness = kind.defaultBrightness == nil ? nil : json["brightness"]?.brightness
        let (holder, until) = (json["holder"]?.text, json["until"]?.time)
        // An invalid holder must not become the unnamed one, and an invalid end must not become none.
        guard brightness != nil || kind.defaultBrightness == nil, holder != nil || json["holder"]?.isNull ?? true,
            until != nil || json["until"]?.isNull ?? true
        else { return nil }
        func moment(_ time: Timestamp) -> Moment { now + .milliseconds(time.milliseconds - now.wall.milliseconds) }
        self.init(
            id: id,
            kind: kind,
            display: display,
            holder: holder,
            principal: Principal(principal),
            grantedAt: grantedAt,
            brightness: brightness,
            reason: json["reason"]?.text,
            lifespan: lifespan,
            end: until.map(moment),
            graceEnd: json["ending"]?.time.map(moment),
            isOverridden: isOverridden
        )
    }

    /// The document in the response to a request that granted or renewed the lease.
    ///
    /// - Parameters:
    ///   - limits: The reasons why it does not have its full effect.
    ///   - warning: What may surprise the client.
    package func json(limitedBy limits: [DisplayState.Limit], warning: String? = nil) -> [UInt8] {
        JSONWriter.object { json in
            write(to: &json)
            json.member("limitedBy", each: limits) { $0.string($1.rawValue) }
            if let warning { json.member("warning", warning) }
        }
    }
}

extension LeaseEvent: Document {
    package func write(to json: inout JSONWriter) {
        json.member("lease", lease)
        json.member("change", change.rawValue)
        json.member("display", lease.display.text)
    }
}

extension LeaseTable {
    /// The document of `GET …/leases`.
    package var json: [UInt8] { Self.json(of: [self]) }

    /// As above, for readers that read at most `longest` bytes. The leases with the longest texts are left out.
    package func json(upTo longest: Int) -> [UInt8] {
        let whole = json
        guard whole.count > longest else { return whole }
        // A comma follows each of them.
        let lengths = all.map { $0.json.count + 1 }
        var room = longest - Self.json(of: []).count
        let kept = lengths.indices.sorted { (lengths[$0], $0) < (lengths[$1], $1) }.prefix { index in
            room -= lengths[index]
            return room >= 0
        }
        return JSONWriter.object { json in
            json.member("leases", objects: kept.sorted().map { all[$0] }) { $1.write(to: &$0) }
        }
    }

    /// The document of the leases of several displays.
    ///
    /// - Parameter kind: The only kind; `nil` for every kind.
    package static func json(of tables: [LeaseTable], _ kind: LeaseKind? = nil) -> [UInt8] {
        JSONWriter.object { json in
            let leases = tables.lazy.flatMap(\.all).filter { kind == nil || $0.kind == kind }
            json.member("leases", objects: leases) { $1.write(to: &$0) }
        }
    }

    /// Reads the leases of the document of one display's leases: at most `limit`, the first of each id. Invalid ones
    /// are left out; returns `nil` for another document.
    package static func leases(in json: JSONNode, at now: Moment) -> [Lease]? {
        guard let elements = json["leases"]?.elements else { return nil }
        var leases: [Lease] = []
        var known: Set<LeaseID> = []
        for element in elements {
            guard leases.count < limit else { break }
            guard let lease = Lease(reading: element, at: now) else { continue }
            if known.insert(lease.id).inserted { leases.append(lease) }
        }
        return leases
    }
}

extension JSONNode {
    /// A lease id, safe in a path: 1 to 128 letters, digits, `_` and `-`.
    fileprivate var leaseID: LeaseID? {
        guard let text = string, (1...128).contains(text.utf8.count),
            text.utf8.allSatisfy({ $0.isLetterOrDigit || "_-".utf8.contains($0) })
        else { return nil }
        return LeaseID(text)
    }
}
