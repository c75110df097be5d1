// SPDX-License-Identifier: Apache-2.0

/// What came of a change: of one display, or of each where it was for all.
package struct Results {
    package private(set) var states: [DisplayDocument] = []
    package private(set) var leases: [LeaseDocument] = []
    package private(set) var problems: [(display: String, problem: ProblemDocument)] = []

    package init(_ json: JSON) {
        guard let results = json["results"] else {
            take(json)
            return
        }
        for result in results.elements {
            if let problem = result["problem"] {
                let status = Int(result["status"]?.number ?? 0)
                problems.append((result["display"]?.text ?? "?", ProblemDocument(status: status, problem)))
            } else if let document = result["state"] ?? result["lease"] {
                take(document)
            }
        }
    }

    /// A result that may surprise: a restore that released nothing while leases of others go on, or the daemon's own
    /// warning.
    ///
    /// - Parameter kind: The kind of lease that a restore releases; `nil` for every kind.
    package func note(restoring kind: LeaseDocument.Kind? = nil) -> String? {
        if let warning = leases.lazy.compactMap(\.warning).first { return warning }
        guard !states.isEmpty, states.allSatisfy({ $0.released == 0 }),
            states.contains(where: { $0.hasLease(of: kind) })
        else { return nil }
        let name = kind?.rawValue ?? "lease"
        return "No \(name) of this holder was in force. The \(name)s that go on have other holders: see --holder and "
            + "--all."
    }

    private mutating func take(_ json: JSON) {
        if let lease = LeaseDocument(json) {
            leases.append(lease)
        } else if let state = DisplayDocument(json) {
            states.append(state)
        }
    }
}
