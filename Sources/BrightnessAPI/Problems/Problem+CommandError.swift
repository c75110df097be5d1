// SPDX-License-Identifier: Apache-2.0
package import BrightnessCore

extension Problem {
    /// The problem of a command that failed. It shows no path, error number or type of ours to clients.
    package init(_ error: CommandError, display id: DisplayID) {
        switch error {
        case .unknownDisplay:
            self = .unknownDisplay(id.text)
        case .otherRevision:
            self.init(.revisionChanged, "If-Match does not name the newest revision of \(id).")
        case .outOfRange(let range):
            self.init(.invalidBody, "The panel's steps are 0 to \(range.maximum).", at: "/raw")
        case .lease(.unknown):
            self.init(.unknownLease, "\(id) has no lease of this id. GET /v1/displays/\(id)/boosts lists its leases.")
        case .lease(.ended):
            self.init(.leaseEnded, "This lease was released, or its time is over. Boost again to get a new one.")
        case .lease(.foreign):
            self.init(
                .foreignLease,
                "This lease of \(id) belongs to another principal. Only that one and the scope admin may use its URL. "
                    + "Nothing was changed."
            )
        case .panel(let error):
            let isWorn = if case .worn = error { true } else { false }
            self = .retry(.displayUnavailable, Self.sentence(for: error, display: id), after: isWorn ? 3_600 : 5)
        case .lease(.tooMany):
            self = .retry(
                .tooManyLeases,
                "\(id) has \(BoostTable.limit) leases already. Nothing was changed.",
                after: 5
            )
        case .unreachable:
            self = .retry(.displayUnavailable, "The daemon that has \(id) is not there. Nothing was changed.", after: 5)
        case .unanswered:
            self = .retry(
                .displayUnavailable,
                "The daemon that has \(id) does not answer. The display's next state tells what came of it.",
                after: 5
            )
        case .remote(let problem, let detail):
            // One of a newer daemon may be unknown here.
            self.init(ProblemType(rawValue: problem) ?? .displayUnavailable, detail)
        case .busy:
            self = .retry(.displayUnavailable, "\(id) does not keep up. Nothing was changed.", after: 5)
        case .stopping:
            self = .retry(.displayUnavailable, "The daemon is being stopped. Nothing was changed.", after: 5)
        }
    }

    package static let largeBody = Problem(.bodyTooLarge, "The body has more than 16,384 bytes. Nothing was changed.")

    package static func unknownDisplay(_ text: String) -> Problem {
        Problem(.unknownDisplay, "There is no display \"\(text)\". GET /v1/displays lists those there are.")
    }

    private static func sentence(for error: DeviceError, display id: DisplayID) -> String {
        switch error {
        case .absent: "\(id) is unplugged. Nothing was changed."
        case .asleep: "\(id) is switched off. Nothing was changed."
        case .permission: "The daemon may not set \(id): see \"Permissions\" in the README. Nothing was changed."
        case .worn(let limit): "\(id) has had its \(limit) writes of today, which wear it. Nothing was changed."
        case .malformed: "\(id) answered something that is no brightness. Nothing was changed."
        case .io, .taken: "\(id) did not take the brightness. Nothing was changed."
        }
    }
}
