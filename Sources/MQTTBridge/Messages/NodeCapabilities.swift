// SPDX-License-Identifier: Apache-2.0
import BrightnessAPI
import BrightnessCore
import Documents

/// The commands that a node supports; one may be newer than this daemon, or have less. A node retains it at
/// `PREFIX/NODE/capabilities`.
struct NodeCapabilities: Hashable, Sendable {
    /// The kinds of leases that it grants.
    var leases: Set<LeaseKind>
    /// Whether it accepts commands for power.
    var power: Bool
    /// Whether it accepts settings of displays.
    var settings: Bool
    /// Whether it brings displays to the value of a preset.
    var presets: Bool
    /// Whether a command for `all` may name some displays.
    var lists: Bool
    /// Whether a command may name the principal of a gateway's client.
    var principals: Bool
    /// The node's run, with which it checks `ifMatch`; `nil` if it does not.
    var epoch: String?

    /// The capabilities of this version.
    static let current = NodeCapabilities(
        leases: Set(LeaseKind.allCases),
        power: true,
        settings: true,
        presets: true,
        lists: true
    )

    init(
        leases: Set<LeaseKind>,
        power: Bool,
        settings: Bool,
        presets: Bool,
        lists: Bool,
        principals: Bool = true,
        epoch: String? = nil
    ) {
        self.leases = leases
        self.power = power
        self.settings = settings
        self.presets = presets
        self.lists = lists
        self.principals = principals
        self.epoch = epoch
    }

    /// Reads the document of a node. Unknown kinds and members are ignored, since the node may be newer; returns `nil`
    /// for anything else.
    init?(_ json: [UInt8]) {
        guard case .object(let members) = JSONValue(parsing: json), case .array(let names)? = members["leases"] else {
            return nil
        }
        leases = Set(names.compactMap { if case .string(let name) = $0 { LeaseKind(rawValue: name) } else { nil } })
        power = members["power"] == .bool(true)
        settings = members["settings"] == .bool(true)
        presets = members["presets"] == .bool(true)
        lists = members["displays"] == .bool(true)
        principals = members["principals"] == .bool(true)
        epoch = if case .string(let epoch)? = members["epoch"], epoch.isName(upTo: 32) { epoch } else { nil }
    }

    /// The retained document.
    func json(version: String, epoch: Epoch) -> [UInt8] {
        JSONWriter.object { json in
            json.member("version", version)
            json.member("epoch", epoch.text)
            json.name("leases")
            json.array(LeaseKind.allCases.filter(leases.contains)) { $0.string($1.rawValue) }
            json.member("power", power)
            json.member("settings", settings)
            json.member("presets", presets)
            json.member("displays", lists)
            json.member("principals", principals)
        }
    }

    /// Whether the node knows the command. Without its principal a command is not forwarded: its leases would belong to
    /// other clients as well.
    func support(_ command: Command) -> Bool {
        guard principals, command.onlyAt == nil || epoch != nil else { return false }
        return switch command.action {
        case .grant(let request): leases.contains(request.kind)
        case .setPower: power
        case .configure: settings
        case .apply: presets
        default: true
        }
    }
}
