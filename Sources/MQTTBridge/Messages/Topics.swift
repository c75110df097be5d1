// SPDX-License-Identifier: Apache-2.0
package import BrightnessAPI
package import BrightnessCore
package import MQTT

/// Where a node's displays are at the broker.
///
/// ```
///   PREFIX/NODE/status                  online, offline; retained
///   PREFIX/NODE/ambient                 the light in the room; retained
///   PREFIX/NODE/DISPLAY/state, boosts   retained
///   PREFIX/NODE/DISPLAY/set, boost …    commands; all stands for every node, or every display of a node
///   PREFIX/NODE/DISPLAY/light/…         the same display as Home Assistant's light
/// ```
package struct Topics: Hashable, Sendable {
    package let prefix: String
    package let node: NodeName

    package init(prefix: String, node: NodeName) {
        self.prefix = prefix
        self.node = node
    }

    private var root: String { "\(prefix)/\(node)" }

    package var status: String { "\(root)/status" }
    /// Where this node wants answers from others.
    package var answers: String { "\(root)/answers" }
    package var ambient: String { "\(root)/ambient" }
    package func state(of id: DisplayID) -> String { "\(root)/\(id)/state" }
    package func boosts(of id: DisplayID) -> String { "\(root)/\(id)/boosts" }
    package func light(of id: DisplayID) -> String { "\(root)/\(id)/light/state" }
    package func lightCommand(of id: DisplayID) -> String { "\(root)/\(id)/light/set" }
    package func command(_ method: CommandMethod, of id: DisplayID) -> String { "\(root)/\(id)/\(method.rawValue)" }

    /// Everything that is retained of a display; the state last, by which others know it.
    func retained(of id: DisplayID) -> [String] { [boosts(of: id), light(of: id), state(of: id)] }

    /// Those that may be repeated without doing more: a message may come twice.
    package static let methods: [CommandMethod] = [.set, .boost, .renew, .release, .restore, .auto]

    /// What to listen to for commands, and for what is retained of displays that are no more.
    package var subscriptions: [MQTTSubscription] {
        let commands = ["\(root)/+", "\(prefix)/all/+"].flatMap { display in
            (Self.methods.map(\.rawValue) + ["light/set"]).map { MQTTSubscription("\(display)/\($0)") }
        }
        // Each of them, since an earlier run may have cleared the others.
        let retained = ["state", "boosts", "light/state"].map {
            MQTTSubscription("\(root)/+/\($0)", wantsRetained: true)
        }
        return commands + retained
    }

    /// What a topic means to this node.
    package enum Meaning: Hashable, Sendable {
        /// A command for a display's id, or `all`.
        case command(CommandMethod, String)
        case light(String)
        /// Something that is retained of a display.
        case retained(String)
    }

    package func meaning(of topic: String) -> Meaning? {
        guard let levels = TopicName.levels(of: topic, under: prefix) else { return nil }
        guard levels.count >= 3, levels[0] == node.text || levels[0] == "all", !levels[1].isEmpty else { return nil }
        let display = String(levels[1])
        switch levels[2...].joined(separator: "/") {
        case "light/set": return .light(display)
        case "state", "boosts", "light/state": return levels[0] == "all" ? nil : .retained(display)
        case let name:
            guard let method = CommandMethod(rawValue: name), Self.methods.contains(method) else { return nil }
            return .command(method, display)
        }
    }

    /// Where answers may be sent. Not to the topics of nodes: what one daemon may say, it would say for others. `answers` is the
    /// level for that.
    package func admitsAnswers(on topic: String) -> Bool {
        guard TopicName.isPlain(topic) else { return false }
        guard let levels = TopicName.levels(of: topic, under: prefix) else { return topic != prefix }
        return levels.count == 2 && levels[1] == "answers"
    }
}
