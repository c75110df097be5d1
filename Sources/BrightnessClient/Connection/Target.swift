// SPDX-License-Identifier: Apache-2.0
package import BrightnessCore

/// The displays that a command is for.
package enum Target: Equatable, Sendable {
    case defaultDisplay
    case display(String)
    case all
    /// The displays of a group of the daemon.
    case group(String)

    private static let groupPrefix = "group:"

    /// Whether a word names several displays, and so is not the id of one.
    package static func isSeveral(_ word: String) -> Bool { word == "all" || word.hasPrefix(groupPrefix) }

    package init(_ text: String?) {
        self =
            switch text {
            case nil: .defaultDisplay
            case "all": .all
            case let name? where name.hasPrefix(Self.groupPrefix):
                .group(String(name.dropFirst(Self.groupPrefix.count)))
            case let id?: .display(id)
            }
    }

    package var state: ClientRequest {
        switch self {
        case .defaultDisplay: ClientRequest("GET", "/v1/brightness")
        case .display: ClientRequest("GET", path)
        case .all: ClientRequest("GET", "/v1/displays")
        case .group(let name): ClientRequest("GET", "/v1/displays?group=\(name.percentEncoded())")
        }
    }

    /// The displays of a schedule; `nil` for every display of the daemon's machine.
    ///
    /// - Throws: For a group. A schedule names displays, and would not follow the group's changes.
    package var scheduleDisplays: [String]? {
        get throws(ClientError) {
            switch self {
            case .defaultDisplay: return nil
            case .all: return ["all"]
            case .display(let id): return [id]
            case .group(let name):
                throw .usage("A schedule cannot be for a group: name a display of \(name) with --display, or all.")
            }
        }
    }

    package func request(_ command: Command) -> ClientRequest {
        // Only work of the daemon itself has no method.
        var method = CommandMethod.set
        let body = JSONWriter.object { method = command.write(to: &$0) ?? method }
        let path = "\(path)/\(method.resource)"
        return ClientRequest(method: method.verb, path: path, body: String(decoding: body, as: UTF8.self))
    }

    /// The request that reads a resource of its displays, such as `leases`.
    func reading(_ resource: String) -> ClientRequest { ClientRequest("GET", "\(path)/\(resource)") }

    /// The path of the displays' resources. Those of the default display are directly under the root.
    private var path: String {
        switch self {
        case .defaultDisplay: "/v1"
        case .display(let id): "/v1/displays/\(id.percentEncoded())"
        case .all: "/v1/displays/all"
        case .group(let name): "/v1/groups/\(name.percentEncoded())"
        }
    }
}
