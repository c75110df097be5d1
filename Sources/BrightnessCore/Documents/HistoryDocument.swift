// SPDX-License-Identifier: Apache-2.0

/// The document of `GET /v1/history`: a query and its answer.
package struct HistoryDocument: Document {
    package let query: HistoryQuery
    package let history: History

    package init(_ query: HistoryQuery, _ history: History) {
        self.query = query
        self.history = history
    }

    package var json: [UInt8] {
        var json = JSONWriter(reserving: 1_024 + history.points.count * 110 + history.leases.count * 160)
        json.object { write(to: &$0) }
        return json.bytes
    }

    package func write(to json: inout JSONWriter) {
        json.member("display", query.display.text)
        json.member("from", query.from)
        json.member("to", query.to)
        json.member("step", query.step)
        json.member("points", history.points)
        json.member("lowest", decimal: history.extent?.lowerBound.fraction)
        json.member("highest", decimal: history.extent?.upperBound.fraction)
        json.member("leases", history.leases)
        json.member("truncated", history.isTruncated)
    }

    /// Points and leases that are invalid are left out.
    package init?(reading json: JSONNode) {
        guard let display = json["display"]?.display, let from = json["from"]?.time, let to = json["to"]?.time,
            let step = json["step"]?.integer, let points = json["points"]?.elements,
            let leases = json["leases"]?.elements, let isTruncated = json["truncated"]?.bool,
            let query = try? HistoryQuery(display, from: from, to: to, step: step)
        else { return nil }
        var history = History()
        history.points = points.compactMap { History.Point(reading: $0) }
        if let lowest = json["lowest"]?.brightness, let highest = json["highest"]?.brightness, lowest <= highest {
            history.extent = lowest...highest
        }
        history.leases = leases.compactMap { LeaseInterval(reading: $0) }
        history.isTruncated = isTruncated
        self.init(query, history)
    }
}

extension History.Point: Document {
    package func write(to json: inout JSONWriter) {
        json.member("at", at)
        json.member("brightness", decimal: brightness?.fraction)
        json.member("baseline", decimal: baseline?.fraction)
        json.member("on", optional: isOn)
        json.member("illuminance", decimal: illuminance?.lux)
    }

    init?(reading json: JSONNode) {
        guard let at = json["at"]?.time else { return nil }
        self.init(
            at: at,
            brightness: json["brightness"]?.brightness,
            baseline: json["baseline"]?.brightness,
            isOn: json["on"]?.bool,
            illuminance: json["illuminance"]?.number.flatMap { Illuminance(lux: $0) }
        )
    }
}

extension LeaseInterval: Document {
    package func write(to json: inout JSONWriter) {
        json.member("kind", kind.rawValue)
        json.member("holder", holder)
        json.member("reason", reason)
        if let brightness { json.member("brightness", decimal: brightness.fraction) }
        json.member("from", from)
        json.member("to", to)
        json.member("end", end?.rawValue)
    }

    package init?(reading json: JSONNode) {
        guard let kind: LeaseKind = json["kind"]?.word(), let from = json["from"]?.time else { return nil }
        self.init(
            kind: kind,
            holder: json["holder"]?.text,
            reason: json["reason"]?.text,
            brightness: json["brightness"]?.brightness,
            from: from,
            to: json["to"]?.time,
            end: json["end"]?.word()
        )
    }
}
