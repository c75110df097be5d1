// SPDX-License-Identifier: Apache-2.0

/// The optional members of every change: holder, reason and transition.
struct ChangeAttribution {
    let holder: String?
    let reason: String?
    let transition: Duration?
    /// Whether the body names the holder. Otherwise it is the caller's default one.
    let namesHolder: Bool

    func attribute(_ action: Command.Action) -> Command {
        Command(action, by: holder, reason: reason, transition: transition)
    }
}

extension RequestBody {
    mutating func attribution() throws(Problem) -> ChangeAttribution {
        let transition = try transition()
        let named = try string("holder", length: 1...128)
        if let named, !named.isVisible {
            try reject("holder", "holder must have a visible character, and no invisible ones such as U+200B.")
        }
        let holder = named ?? defaultHolder
        if let holder, ReservedHolder.includes(holder) {
            try reject("holder", "\"\(holder)\" is reserved for the daemon. Choose another holder.")
        }
        return ChangeAttribution(
            holder: holder,
            reason: try reason(),
            transition: transition,
            namesHolder: named != nil
        )
    }

    mutating func transition() throws(Problem) -> Duration? {
        try number("transition", in: 0...3_600).map { .seconds($0) }
    }

    mutating func reason() throws(Problem) -> String? { try string("reason", length: 0...256) }

    mutating func leaseKind() throws(Problem) -> LeaseKind? {
        guard let name = try string("kind", length: 0...16) else { return nil }
        return try valid(LeaseKind(rawValue: name), "kind", "kind must be \(LeaseKind.choice), not \"\(name)\".")
    }

    mutating func lifespan() throws(Problem) -> LeaseLifespan? {
        guard let name = try string("lifespan", length: 0...16) else { return nil }
        let detail = "lifespan must be \"custom\", \"visible\" or \"lifetime\", not \"\(name)\"."
        return try valid(LeaseLifespan(rawValue: name), "lifespan", detail)
    }

    /// - Parameter longest: The longest time limit of the lease's kind.
    mutating func ttl(upTo longest: Duration = LeaseKind.longestTTL) throws(Problem) -> Duration? {
        try number("ttl", in: 0.001...Double(longest.components.seconds)).map { .seconds($0) }
    }
}
