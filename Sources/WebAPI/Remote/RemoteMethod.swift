// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import HTTPServer

/// What a client may call over a WebSocket, and of that what changes something over MQTT. The params are the bodies of the
/// REST routes; over a WebSocket with `display` beside them.
package enum RemoteMethod: String, CaseIterable, Sendable {
    case get, set, step, boost, renew, release, restore, auto, subscribe

    var writes: Bool {
        switch self {
        case .get, .subscribe: false
        case .set, .step, .boost, .renew, .release, .restore, .auto: true
        }
    }
}

extension RemoteMethod {
    /// What a call stands for, and what it is answered with; `nil` for those that change nothing.
    ///
    /// - Parameters:
    ///   - body: The params but `display`.
    ///   - usual: A boost's lifespan where none is said.
    func command(
        from body: consuming RequestBody,
        lifespan usual: Lifespan
    ) throws(Problem) -> (Command, CommandAnswer.Shape)? {
        switch self {
        case .get, .subscribe: return nil
        case .set: return (try .set(from: body), .state)
        case .step: return (try .adjust(from: body), .state)
        case .auto: return (try .setAutomatic(from: body), .state)
        case .restore: return (try .restore(from: body), .state)
        case .boost: return (try .boost(from: body, lifespan: usual), .lease)
        case .renew:
            let lease = try body.lease()
            return (try .renew(lease, from: body), .lease)
        case .release:
            let lease = try body.lease()
            try body.end()
            return (Command(.release(lease)), .state)
        }
    }

    /// Whether it is about a lease, which one display has.
    var isOfOneDisplay: Bool { self == .renew || self == .release }
}

extension RequestBody {
    /// `display`: the default one where it is left out.
    mutating func target() throws(Problem) -> Route.Target {
        guard let name = try string("display", length: 1...256) else { return .byDefault }
        return name == "all" ? .all : .named(name)
    }

    /// As above, where only one display will do.
    mutating func oneTarget() throws(Problem) -> Route.Target {
        let target = try target()
        return target == .all ? .named("all") : target
    }

    mutating func lease() throws(Problem) -> LeaseID {
        guard let id = try string("lease", length: 1...128) else {
            throw Self.invalid("lease", "Say which lease: the id that boost answered with.")
        }
        return LeaseID(id)
    }
}

extension WebApplication {
    /// `subscribe`: which events come from now on, and what is answered.
    func subscription(
        from body: consuming RequestBody
    ) throws(Problem) -> (MessageOutcome.Subscription, answer: [UInt8]) {
        let types = try body.strings("types") ?? []
        let displays = try body.strings("display") ?? []
        let last = try body.string("last_event_id", length: 0...256)
        try body.end()
        let filter = try filter(types: types, displays: displays) { RequestBody.invalid("types", $0) }
        reportRoom()
        let answer = JSONWriter.object { json in
            for (name, words) in [("types" as StaticString, types), ("display", displays)] {
                json.name(name)
                if words.isEmpty { json.null() } else { json.array(Set(words).sorted()) { $0.string($1) } }
            }
        }
        return (MessageOutcome.Subscription(filter: filter, start: start(after: last)), answer)
    }
}
