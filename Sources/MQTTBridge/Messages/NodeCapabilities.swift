// SPDX-License-Identifier: Apache-2.0
import BrightnessCore

/// The commands that a node supports, which may run a newer or an older version than this one. A node retains them at
/// `PREFIX/NODE/capabilities`.
struct NodeCapabilities: Hashable, Sendable {
    typealias Feature = CommandMethod.Feature

    var leases: Set<LeaseKind>
    var features: Set<Feature>
    /// `nil` for a node that does not report it.
    var version: String?
    /// The node's run, with which it checks `ifMatch`; `nil` if it does not.
    var epoch: String?

    static let current = NodeCapabilities(leases: Set(LeaseKind.allCases), features: Set(Feature.allCases))

    private init(leases: Set<LeaseKind>, features: Set<Feature>) { (self.leases, self.features) = (leases, features) }

    /// Reads the document of a node. Unknown kinds and members are ignored, since the node may be newer; returns `nil`
    /// for anything else.
    init?(_ json: [UInt8]) {
        guard case .object(let members) = JSONValue(parsing: json), case .array(let names)? = members["leases"] else {
            return nil
        }
        leases = Set(names.compactMap { if case .string(let name) = $0 { LeaseKind(rawValue: name) } else { nil } })
        features = Set(Feature.allCases.filter { members[$0.rawValue] == .bool(true) })
        version =
            if case .string(let version)? = members["version"], version.isPlain(ofLength: 1...64) { version } else {
                nil
            }
        epoch = if case .string(let epoch)? = members["epoch"], epoch.isName(upTo: 32) { epoch } else { nil }
    }

    /// The retained document.
    func json(version: String, epoch: Epoch) -> [UInt8] {
        JSONWriter.object { json in
            json.member("version", version)
            json.member("epoch", epoch.text)
            json.member("leases", each: LeaseKind.allCases.filter(leases.contains)) { $0.string($1.rawValue) }
            for feature in Feature.allCases {
                json.name(any: feature.rawValue)
                json.bool(features.contains(feature))
            }
        }
    }

    /// Whether the node knows the command. Without its principal a command is not forwarded: its leases would belong to
    /// other clients as well.
    func supports(_ command: Command, by method: CommandMethod) -> Bool {
        guard features.contains(.principals), command.onlyAt == nil || epoch != nil else { return false }
        if let kind = LeaseKind(rawValue: method.rawValue) { return leases.contains(kind) }
        return method.feature.map(features.contains) ?? true
    }
}
