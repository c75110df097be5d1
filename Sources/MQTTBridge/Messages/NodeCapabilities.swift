// SPDX-License-Identifier: Apache-2.0
import BrightnessAPI
import BrightnessCore

/// The commands that a node supports beyond those of every version. A node retains it at `PREFIX/NODE/capabilities`.
struct NodeCapabilities: Hashable, Sendable {
    /// The kinds of leases that it grants.
    var leases: Set<LeaseKind>
    /// Whether it accepts commands for power.
    var power: Bool
    /// Whether a command for `all` may name some displays.
    var lists: Bool

    /// Those of this version.
    static let current = NodeCapabilities(leases: Set(LeaseKind.allCases), power: true, lists: true)
    /// Those of a node without the topic.
    static let old = NodeCapabilities(leases: [.boost], power: false, lists: false)

    init(leases: Set<LeaseKind>, power: Bool, lists: Bool = false) {
        self.leases = leases
        self.power = power
        self.lists = lists
    }

    /// Reads the document of a node. Unknown kinds and members are ignored, since the node may be newer; returns `nil`
    /// for anything else.
    init?(_ json: [UInt8]) {
        guard case .object(let members) = JSONValue(parsing: json), case .array(let names)? = members["leases"] else {
            return nil
        }
        leases = Set(names.compactMap { if case .string(let name) = $0 { LeaseKind(rawValue: name) } else { nil } })
        power = members["power"] == .bool(true)
        lists = members["displays"] == .bool(true)
    }

    /// The retained document.
    func json(version: String) -> [UInt8] {
        JSONWriter.object { json in
            json.member("version", version)
            json.name("leases")
            json.array(LeaseKind.allCases.filter(leases.contains)) { $0.string($1.rawValue) }
            json.member("power", power)
            json.member("displays", lists)
        }
    }

    /// Returns the command as the node understands it.
    ///
    /// - Throws: `.unsupported` if the node does not know the command.
    func command(_ command: Command) throws(CommandError) -> Command? {
        switch command.action {
        case .grant(let request) where !leases.contains(request.kind): throw .unsupported
        case .setPower where !power: throw .unsupported
        default: return self == .old ? command.forOldNode : command
        }
    }
}
