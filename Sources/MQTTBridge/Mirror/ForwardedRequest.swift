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

    /// - Parameter answers: The topic of the answer.
    func publication(_ correlation: [UInt8], answerAt answers: String) -> Publication {
        let (node, method) = (message.node, message.method)
        return Publication(
            isList ? node.commandForAll(method) : node.command(method, of: targets[0].name),
            isList ? message.body.naming(targets.map(\.name)) : message.body,
            responseTopic: answers,
            correlation: correlation,
            contentType: "application/json"
        )
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

    private var results: [DisplayID: Result<JSONNode, CommandError>] = [:]

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

    /// The result of a display, by its name at the node; `nil` without one.
    subscript(name: DisplayID) -> Result<JSONNode, CommandError>? { results[name] }
}
