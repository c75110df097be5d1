// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import MQTT

/// A command that was sent to a node, and has no answer yet.
struct ForwardedRequest {
    /// A command as it goes to a node, the same for each of its displays.
    struct Message: Hashable {
        let node: Topics
        let method: CommandMethod
        let body: [UInt8]
    }

    struct Target {
        let id: DisplayID
        /// The display's id at its node.
        let name: DisplayID
        /// The display's leases before the request, shared with its table. A lease in the answer that is not among them
        /// is new.
        let known: [Lease]
        /// The baseline that the command leads to; `nil` if it leaves the baseline as it is.
        let baseline: Brightness?
    }

    let deadline: Instant
    let message: Message
    let call: MirrorCalls.Call
    /// The displays that the message is for, some of the call's or all of them.
    let targets: [Target]

    /// Whether the answer has an entry per display.
    var isList: Bool { targets.count > 1 }

    func publication(_ correlation: [UInt8], responseTopic: String) -> Publication {
        let (node, method) = (message.node, message.method)
        return Publication(
            isList ? node.commandForAll(method) : node.command(method, of: targets[0].name),
            isList ? message.body.naming(targets.map(\.name)) : message.body,
            responseTopic: responseTopic,
            correlation: correlation,
            contentType: "application/json"
        )
    }
}

/// The commands that were sent to nodes, until their answers or their deadlines.
struct PendingRequests {
    /// By the correlation data of the messages.
    private var requests: [[UInt8]: ForwardedRequest] = [:]
    /// For each display with unanswered commands that change its baseline: the baseline of the last one, and their
    /// number. Until the answers come, a received state may precede that command.
    private var expected: [DisplayID: (baseline: Brightness, commands: Int)] = [:]
    /// The earliest deadline of a request, or an earlier instant.
    private var nextDeadline: Instant?
    private var outgoing: ArraySlice<Publication> = []

    func expectedBaseline(of id: DisplayID) -> Brightness? { expected[id]?.baseline }

    /// Counts a command under way. `settleBaseline` has to follow when it is finished.
    mutating func expectBaseline(of target: ForwardedRequest.Target) {
        guard let baseline = target.baseline else { return }
        expected[target.id] = (baseline, (expected[target.id]?.commands ?? 0) + 1)
    }

    mutating func settleBaseline(of target: ForwardedRequest.Target) {
        guard target.baseline != nil else { return }
        expected[target.id]?.commands -= 1
        if expected[target.id]?.commands == 0 { expected[target.id] = nil }
    }

    mutating func enqueue(_ request: ForwardedRequest, responseTopic: String) {
        // It is random, so that a late answer to an earlier run of this daemon matches no request.
        let correlation = withUnsafeBytes(of: UInt128.random(in: .min ... .max)) { Array($0) }
        requests[correlation] = request
        nextDeadline = min(nextDeadline ?? request.deadline, request.deadline)
        outgoing.append(request.publication(correlation, responseTopic: responseTopic))
    }

    mutating func take(_ correlation: [UInt8]) -> ForwardedRequest? { requests.removeValue(forKey: correlation) }

    mutating func takeAll() -> [ForwardedRequest] {
        defer { (requests, outgoing) = ([:], []) }
        return Array(requests.values)
    }

    mutating func takeOverdue(at now: Instant) -> [ForwardedRequest] {
        guard let next = nextDeadline, next <= now else { return [] }
        let overdue = requests.filter { $1.deadline <= now }
        for correlation in overdue.keys { requests[correlation] = nil }
        nextDeadline = requests.values.lazy.map(\.deadline).min()
        return Array(overdue.values)
    }

    /// Returns the next messages to send, without those of overdue requests.
    mutating func takeOutgoing(_ room: Int) -> [Publication] {
        var taken: [Publication] = []
        while taken.count < room, let next = outgoing.popFirst() {
            if let correlation = next.correlation, requests[correlation] != nil { taken.append(next) }
        }
        // A slice keeps what was taken from it.
        if outgoing.isEmpty { outgoing = [] }
        return taken
    }
}

extension [UInt8] {
    /// The body of a command with the names of its displays.
    fileprivate func naming(_ displays: [DisplayID]) -> [UInt8] {
        let list = JSONWriter.object { json in
            json.member("displays", each: displays) { $0.string($1.text) }
        }
        var body = Array(list.dropLast())
        if count > 2 { body.append(UInt8(ascii: ",")) }
        body += dropFirst()
        return body
    }
}

/// The answer of a node to a command for several of its displays: the state, lease or problem of each.
struct BatchAnswer {
    /// The longest answer, in bytes, that is parsed.
    static let longest = 262_144

    private var results: [DisplayID: Result<JSONNode?, CommandError>] = [:]

    /// An invalid answer, or a part of one, has no results.
    init(_ json: [UInt8]) {
        guard let root = JSONDocument(parsing: json, upTo: Self.longest)?.root,
            let entries = DisplayResult.all(in: root)
        else { return }
        for entry in entries.prefix(Mirror.displaysPerMessage) {
            switch entry.part {
            case .state, .lease: results[entry.display] = .success(entry.content)
            case .problem:
                guard let problem = ProblemDocument(reading: entry.content) else { continue }
                results[entry.display] = .failure(CommandError(problem))
            }
        }
    }

    /// The result of a display, by its name at the node.
    subscript(name: DisplayID) -> Result<JSONNode?, CommandError> { results[name] ?? .failure(.unanswered) }
}
