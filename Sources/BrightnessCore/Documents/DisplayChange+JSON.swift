// SPDX-License-Identifier: Apache-2.0

/// The documents of `GET /v1/history/changes`.
extension DisplayChange: Document {
    package func write(to json: inout JSONWriter) {
        json.member("display", display.text)
        shown.write(to: &json)
        json.member("before", before)
        json.member("lease", lease)
        json.member("cause", cause)
    }

    package init?(reading json: JSONNode) {
        guard let display = json["display"]?.display, let shown = Shown(reading: json),
            let cause = json["cause"].flatMap({ Cause(reading: $0) })
        else { return nil }
        self.init(
            display,
            shown,
            before: json["before"].flatMap { Shown(reading: $0) },
            lease: json["lease"].flatMap { AffectedLease(reading: $0) },
            cause: cause
        )
    }

    /// The document of several changes, the newest first.
    package static func list(_ changes: [DisplayChange]) -> [UInt8] {
        var json = JSONWriter(reserving: 64 + changes.count * 400)
        json.object { $0.member("changes", changes) }
        return json.bytes
    }

    /// Reads a document of several changes. Invalid ones are left out; returns `nil` for another document.
    package static func changes(in json: JSONNode) -> [DisplayChange]? {
        json["changes"]?.elements?.compactMap { DisplayChange(reading: $0) }
    }

    /// The changes as a CSV table (RFC 4180), the newest first.
    package static func csv(_ changes: [DisplayChange]) -> [UInt8] {
        var csv = CSVWriter(reserving: 256 + changes.count * 120)
        csv.row([
            "at", "display", "brightness", "baseline", "on", "available", "brightnessBefore", "baselineBefore",
            "onBefore", "availableBefore", "lease", "ended", "kind", "by", "principal", "reason",
        ])
        for change in changes {
            let (lease, cause) = (change.lease, change.cause)
            csv.row(
                [cause.at.rfc3339, change.display.text] + change.shown.cells
                    + (change.before?.cells ?? [nil, nil, nil, nil])
                    + [lease?.kind.rawValue, lease.map { "\($0.hasEnded)" }]
                    + [cause.kind.rawValue, cause.by, cause.principal?.text, cause.reason]
            )
        }
        return csv.bytes
    }
}

extension DisplayChange.Shown: Document {
    package func write(to json: inout JSONWriter) {
        json.member("brightness", decimal: brightness.fraction)
        json.member("baseline", decimal: baseline.fraction)
        json.member("on", isOn)
        json.member("available", isAvailable)
    }

    init?(reading json: JSONNode) {
        guard let brightness = json["brightness"]?.brightness, let baseline = json["baseline"]?.brightness,
            let isOn = json["on"]?.bool, let isAvailable = json["available"]?.bool
        else { return nil }
        self.init(brightness: brightness, baseline: baseline, isOn: isOn, isAvailable: isAvailable)
    }

    fileprivate var cells: [String?] {
        [
            JSONWriter.decimal(brightness.fraction), JSONWriter.decimal(baseline.fraction), "\(isOn)",
            "\(isAvailable)",
        ]
    }
}

extension DisplayChange.AffectedLease: Document {
    package func write(to json: inout JSONWriter) {
        json.member("kind", kind.rawValue)
        json.member("ended", hasEnded)
    }

    init?(reading json: JSONNode) {
        guard let kind: LeaseKind = json["kind"]?.word(), let hasEnded = json["ended"]?.bool else { return nil }
        self.init(kind, hasEnded: hasEnded)
    }
}
