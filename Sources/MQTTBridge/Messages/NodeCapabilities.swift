// SPDX-License-Identifier: Apache-2.0
import BrightnessAPI
import BrightnessCore

/// The commands that a node supports; one may be newer than this daemon, or have less. A node retains it at
/// `PREFIX/NODE/capabilities`.
struct NodeCapabilities: Hashable, Sendable {
    /// The kinds of leases that it grants.
    var leases: Set<LeaseKind>
    /// Whether it accepts commands for power.
    var power: Bool
    /// Whether a command for `all` may name some displays.
    var lists: Bool

    /// Those of this version.
    static let current = NodeCapabilities(leases: Set(LeaseKind.allCases), power: true, lists: true)

    init(leases: Set<LeaseKind>, power: Bool, lists: Bool) {
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

    /// Whether the node knows the command.
    func support(_ command: Command) -> Bool {
        switch command.action {
        case .grant(let request): leases.contains(request.kind)
        case .setPower: power
        default: true
        }
    }
}
