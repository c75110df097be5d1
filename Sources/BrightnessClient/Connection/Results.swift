// SPDX-License-Identifier: Apache-2.0
package import BrightnessCore

/// The result of a change: of one display, or one for each of several displays.
package struct Results {
    package private(set) var states: [DisplayState] = []
    /// The leases that were granted, and why a display does not show one.
    package private(set) var leases: [(lease: Lease, limits: [DisplayState.Limit])] = []
    package private(set) var problems: [(display: String, problem: ProblemDocument)] = []
    /// The numbers of leases that a restore released, of each display that reports one.
    private var released: [Int] = []
    /// The displays that have accepted the change, but are too slow to have confirmed it.
    private var unconfirmed: [DisplayID] = []
    /// A consequence that may surprise the caller, in the daemon's words.
    private var warning: String?

    /// - Parameter status: That of the response.
    package init(_ json: JSONNode, status: Int = 200, at now: Moment = .now) {
        guard let results = DisplayResult.all(in: json) else {
            add(json, at: now)
            if status == Self.accepted { unconfirmed = states.map(\.id) }
            return
        }
        for result in results {
            if result.status == Self.accepted { unconfirmed.append(result.display) }
            switch result.part {
            case .state, .lease: add(result.content, at: now)
            case .problem:
                problems.append((result.display.text, ProblemDocument(status: result.status, result.content)))
            }
        }
    }

    /// The status of a change without a result yet.
    private static let accepted = 202

    /// Why the change may not be in force; `nil` if each display has confirmed or refused it.
    package var pending: String? {
        switch unconfirmed.count {
        case 0 where states.isEmpty && leases.isEmpty && problems.isEmpty: "There is no display for it now."
        case 0: nil
        case 1: "\(unconfirmed[0]) has not confirmed it yet."
        case let count: "\(count) displays have not confirmed it yet."
        }
    }

    /// A result that may surprise: a restore that released nothing, or the daemon's own warning.
    ///
    /// - Parameter kind: The kind of lease that a restore releases; `nil` for every kind.
    package func note(restoring kind: LeaseKind? = nil) -> String? {
        if let warning { return warning }
        guard !states.isEmpty, released.count == states.count, released.allSatisfy({ $0 == 0 }) else { return nil }
        let name = kind?.rawValue ?? "lease"
        let kinds = kind.map { [$0] } ?? LeaseKind.allCases
        guard states.contains(where: { state in kinds.contains { state.leases(of: $0) != nil } }) else {
            return "No \(name) was in force."
        }
        return """
            No \(name) of this holder was in force. The \(name)s that go on have other holders: see --holder and --all.
            """
    }

    private mutating func add(_ json: JSONNode, at now: Moment) {
        if let lease = Lease(reading: json, at: now) {
            let limits = json["limitedBy"]?.elements?.compactMap { $0.text.flatMap(DisplayState.Limit.init(rawValue:)) }
            leases.append((lease, limits ?? []))
            warning = warning ?? json["warning"]?.string?.plain(upTo: 1_024)
        } else if let state = DisplayState(reading: json) {
            states.append(state)
            if let count = DisplayState.released(in: json) { released.append(count) }
        }
    }
}
