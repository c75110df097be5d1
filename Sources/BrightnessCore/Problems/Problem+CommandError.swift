// SPDX-License-Identifier: Apache-2.0

extension Problem {
    /// The problem of a command that failed. It shows clients no path, error number or type.
    package init(_ error: CommandError, display id: DisplayID) {
        switch error {
        case .unknownDisplay:
            self = .displayNotFound(id.text)
        case .otherRevision:
            self.init(
                .preconditionFailed,
                "\(id) has another revision than If-Match names. GET its state for the new ETag. Nothing was changed."
            )
        case .outOfRange(let range):
            self.init(
                .invalidBody,
                "raw must be a whole number from 0 to \(range.maximum), a step of the display.",
                at: "/raw"
            )
        case .notDimmable:
            self.init(
                .notDimmable,
                "\(id) can be switched off and on, but not dimmed: its state has \"dimmable\":false. Nothing was "
                    + "changed."
            )
        case .notSwitchable:
            self.init(
                .notSwitchable,
                "\(id) cannot be switched off and on: its power has \"switchable\":false. Nothing was changed."
            )
        case .lease(.tooLong(let longest)):
            self.init(
                .invalidBody,
                "ttl must be at most \(longest.components.seconds) for a lease of this kind. Nothing was changed.",
                at: "/ttl"
            )
        case .lease(.ofDaemon):
            self.init(
                .forbidden,
                "The daemon itself holds this lease of \(id): it can be released, but not changed. Nothing was changed."
            )
        case .lease(.withoutBrightness(let kind)):
            self.init(.invalidBody, "A \(kind.rawValue) has no brightness. Nothing was changed.", at: "")
        case .lease(.withoutHolder(let kind)):
            self.init(
                .invalidBody,
                "A visible \(kind.rawValue) requires a holder, and this lease has none: it lasts while its holder has "
                    + "an open stream. Nothing was changed.",
                at: "/lifespan"
            )
        case .lease(.endlessSleep):
            self.init(
                .invalidBody,
                "A sleep cannot have the lifespan \"lifetime\", and \"visible\" only with a ttl, so that no display "
                    + "stays off for ever. Nothing was changed.",
                at: "/lifespan"
            )
        case .lease(.unknown):
            self.init(
                .leaseNotFound,
                "\(id) has no lease with this id. GET /v1/displays/\(id)/leases lists its leases."
            )
        case .lease(.ended):
            self.init(.leaseEnded, "The lease has ended. POST a new one.")
        case .lease(.foreign):
            self.init(
                .forbidden,
                "The lease of \(id) belongs to another principal. Its URL requires the scope admin. Nothing was "
                    + "changed."
            )
        case .panel(let error):
            let isWorn = if case .worn = error { true } else { false }
            self = .retry(.displayUnavailable, Self.detail(of: error, display: id), after: isWorn ? 3_600 : 5)
        case .lease(.tooMany):
            self = .retry(
                .serverLimitReached,
                "\(id) has \(LeaseTable.clientLimit) leases of clients, the maximum. Name a holder to renew its lease. "
                    + "Nothing was changed."
            )
        case .lease(.tooManyOfPrincipal):
            self = .retry(
                .clientLimitReached,
                "You have \(LeaseTable.principalLimit) leases of \(id), the maximum of one principal. Name a holder to "
                    + "renew its lease. Nothing was changed."
            )
        case .unreachable:
            self = .retry(
                .displayUnavailable,
                "The node of \(id) is offline, or the broker cannot be reached. Nothing was changed."
            )
        case .unanswered:
            self = .retry(
                .displayUnavailable,
                "The node of \(id) did not respond in time. The next state of the display shows whether it changed."
            )
        case .unsupported:
            self.init(
                .commandNotSupported,
                "The node of \(id) does not support this command: its capabilities lack it. Nothing was changed."
            )
        case .remote(let name, let detail):
            // A newer node may send a name that is unknown here.
            let type = ProblemType(rawValue: name) ?? .displayUnavailable
            // The node's own Retry-After does not come over MQTT.
            let delay = [429: 1, 503: 5][type.status]
            self = delay.map { .retry(type, detail, after: $0) } ?? Problem(type, detail)
        case .busy, .superseded:
            self = .retry(.displayUnavailable, "\(id) has too many pending commands. Nothing was changed.")
        case .stopping:
            self = .retry(.displayUnavailable, "The daemon is stopping. Nothing was changed.")
        }
    }

    package static func bodyTooLarge(_ limit: Int = JSONDocument.defaultLongest) -> Problem {
        let maximum = limit < 1 << 20 ? "16,384 bytes" : "\(limit >> 20) MiB"
        return Problem(.bodyTooLarge, "The body has more than \(maximum), the maximum. Nothing was changed.")
    }

    package static func displayNotFound(_ text: String) -> Problem {
        Problem(.displayNotFound, "No display has the id \"\(text)\". GET /v1/displays lists every display.")
    }

    private static func detail(of error: DeviceError, display id: DisplayID) -> String {
        let cause =
            switch error {
            case .absent, .unplugged: "\(id) is unplugged."
            case .abandoned: "The client that provides \(id) is not connected or does not answer."
            case .asleep: "\(id) is off."
            case .permission: "The daemon has no permission to set \(id). Run brightnessd probe for the fix."
            case .worn(let limit):
                "\(id) has used up today's \(limit) writes (--ddc-writes-per-day, until midnight UTC)."
            case .malformed: "\(id) returned an invalid brightness."
            case .unswitched(_, .busy): "Another program holds the HDMI-CEC adapter of \(id)."
            case .unswitched(_, .unacknowledged):
                "\(id) does not accept commands: it has no power, or its HDMI-CEC is off."
            case .unswitched(_, .ignored): "\(id) reports that it did not switch."
            case .io, .taken: "Writing the brightness of \(id) failed."
            }
        return "\(cause) Nothing was changed."
    }
}
