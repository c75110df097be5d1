// SPDX-License-Identifier: Apache-2.0
import MQTT

/// The nodes to mirror: `PREFIX/NODE`, or `PREFIX/+` for every node.
package struct MirrorFilter: Hashable, Sendable {
    let prefix: String
    /// `nil` for every node.
    let node: NodeName?

    package init?(_ text: String) {
        guard let slash = text.lastIndex(of: "/") else { return nil }
        let name = String(text[text.index(after: slash)...])
        prefix = String(text[..<slash])
        node = NodeName(name)
        guard TopicName.isPrefix(prefix), node != nil || name == "+" else { return nil }
    }

    var subscriptions: [MQTTSubscription] {
        let root = "\(prefix)/\(node?.text ?? "+")"
        return ["status", "capabilities", "+/state", "+/leases"].map {
            MQTTSubscription("\(root)/\($0)", wantsRetained: true)
        }
    }

    /// Returns the node and the fact of a topic; `nil` for other topics.
    func subject(of topic: String) -> Subject? {
        guard let levels = TopicName.levels(of: topic, under: prefix) else { return nil }
        guard let name = levels.first.flatMap({ NodeName(String($0)) }), node == nil || node == name else { return nil }
        let topics = Topics(prefix: prefix, node: name)
        switch (levels.count, levels.last) {
        case (2, "status"): return Subject(topics: topics, fact: .status)
        case (2, "capabilities"): return Subject(topics: topics, fact: .capabilities)
        case (3, "state"): return Subject(topics: topics, fact: .state(String(levels[1])))
        case (3, "leases"): return Subject(topics: topics, fact: .leases(String(levels[1])))
        default: return nil
        }
    }

    struct Subject: Hashable {
        enum Fact: Hashable {
            case status
            case capabilities
            /// The state of a display, by its name at the node.
            case state(String)
            case leases(String)
        }

        let topics: Topics
        let fact: Fact
    }
}
