// SPDX-License-Identifier: Apache-2.0

/// What a display showed over time, as far as the client shows it.
package struct HistoryDocument: Equatable {
    package var display: String
    package var from: Time
    package var to: Time
    /// Seconds from one point to the next.
    package var step: Double
    package var brightness: [Double?]
    package var leases: [Band]

    /// A lease over time.
    package struct Band: Equatable {
        package var kind: String
        package var holder: String?
        package var reason: String?
        package var brightness: Double?
        package var from: Time
        package var to: Time?
        package var end: String?

        package init(
            kind: String = "boost",
            holder: String? = nil,
            reason: String? = nil,
            brightness: Double? = nil,
            from: Time,
            to: Time? = nil,
            end: String? = nil
        ) {
            self.kind = kind
            self.holder = holder
            self.reason = reason
            self.brightness = brightness
            self.from = from
            self.to = to
            self.end = end
        }
    }

    package init(display: String, from: Time, to: Time, step: Double, brightness: [Double?], leases: [Band]) {
        self.display = display
        self.from = from
        self.to = to
        self.step = step
        self.brightness = brightness
        self.leases = leases
    }

    package init?(_ json: JSON) {
        guard let display = json["display"]?.text, let from = json["from"]?.text.flatMap(Time.init),
            let to = json["to"]?.text.flatMap(Time.init), let step = json["step"]?.number
        else { return nil }
        self.init(
            display: display,
            from: from,
            to: to,
            step: step,
            brightness: json["points"]?.elements.map { $0["brightness"]?.number } ?? [],
            leases: json["leases"]?.elements.compactMap(Band.init) ?? []
        )
    }
}

extension HistoryDocument.Band {
    fileprivate init?(_ json: JSON) {
        guard let from = json["from"]?.text.flatMap(Time.init) else { return nil }
        self.init(
            kind: json["kind"]?.text ?? "boost",
            holder: json["holder"]?.text,
            reason: json["reason"]?.text,
            brightness: json["brightness"]?.number,
            from: from,
            to: json["to"]?.text.flatMap(Time.init),
            end: json["end"]?.text
        )
    }
}
