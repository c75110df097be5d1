// SPDX-License-Identifier: Apache-2.0
package import BrightnessCore

/// The commands that JSON-RPC and MQTT have names for. Their params are the bodies of the REST resources.
package enum CommandMethod: String, CaseIterable, Sendable {
    case set, step, boost, renew, release, restore, auto

    /// Whether it is about a lease, which one display has.
    package var isOfOneDisplay: Bool { self == .renew || self == .release }

    /// Reads a command, and what it is answered with.
    ///
    /// - Parameters:
    ///   - body: The params but `display`.
    ///   - lifespan: A boost's lifespan where the body has none.
    package func command(
        from body: consuming RequestBody,
        lifespan: Lifespan
    ) throws(Problem) -> (command: Command, kind: CommandExecution.ResponseKind) {
        switch self {
        case .set: return (try .set(from: body), .state)
        case .step: return (try .adjust(from: body), .state)
        case .auto: return (try .setAutomatic(from: body), .state)
        case .restore: return (try .restore(from: body), .state)
        case .boost: return (try .boost(from: body, lifespan: lifespan), .lease)
        case .renew:
            let lease = try body.lease()
            return (try .renew(lease, from: body), .lease)
        case .release:
            let lease = try body.lease()
            try body.end()
            return (Command(.release(lease)), .state)
        }
    }
}

extension RequestBody {
    fileprivate mutating func lease() throws(Problem) -> LeaseID {
        guard let id = try string("lease", length: 1...128) else {
            throw Self.invalid("lease", "Say which lease: the id that boost answered with.")
        }
        return LeaseID(id)
    }
}
