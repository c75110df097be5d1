// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import MQTT

/// Principals between daemons: `PREFIX/NODE/PRINCIPAL`, so that those of two gateways differ. A daemon names its own
/// clients without its topic; neither their principals nor the names of nodes have a slash.
extension Principal {
    /// Reads the principal for which a gateway speaks; `nil` for one that is not another daemon's.
    ///
    /// - Parameter own: The topics of this daemon.
    init?(forwarded text: String, to own: Topics) {
        guard let (daemon, _) = Self.parts(text), daemon != own.root else { return nil }
        self.init(text)
    }

    /// Returns the daemon's topic and its principal; `nil` for any other form.
    fileprivate static func parts(_ text: String) -> (daemon: String, principal: String)? {
        let levels = text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        guard levels.count >= 3, let principal = levels.last, !principal.isEmpty else { return nil }
        let prefix = levels.dropLast(2).map { String(Substring($0)) }.joined(separator: "/")
        guard let node = NodeName(String(Substring(levels[levels.count - 2]))), TopicName.isPrefix(prefix) else {
            return nil
        }
        return (Topics(prefix: prefix, node: node).root, String(Substring(principal)))
    }
}

/// A node that reports states and leases to this daemon.
struct Reporter {
    let node: Topics
    /// The topics of this daemon.
    let own: Topics

    /// Returns the principal that the node reports, as this daemon names it.
    func principal(_ text: String) -> Principal {
        guard text.utf8.contains(UInt8(ascii: "/")), let (daemon, principal) = Principal.parts(text) else {
            return Principal(node.name(of: Principal(text)))
        }
        return Principal(daemon == own.root ? principal : text)
    }
}

extension Topics {
    /// A principal of this node, as other daemons name it.
    func name(of principal: Principal) -> String { "\(root)/\(principal.text)" }
}
