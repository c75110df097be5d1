// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
package import MQTT

/// The topics of a node and its displays.
///
/// ```
///   PREFIX/NODE/status                  online, offline; retained
///   PREFIX/NODE/capabilities            the commands that the node supports; retained
///   PREFIX/NODE/ambient                 ambient light; retained
///   PREFIX/NODE/illuminance/NAME        the reading of a remote light sensor
///   PREFIX/NODE/DISPLAY/state, leases   retained
///   PREFIX/NODE/DISPLAY/set, boost …    commands; all is every node, or every display of a node
///   PREFIX/NODE/DISPLAY/light/…         the same display as Home Assistant's light
/// ```
package struct Topics: Hashable, Sendable {
    package let prefix: String
    package let node: NodeName

    package init(prefix: String, node: NodeName) {
        self.prefix = prefix
        self.node = node
    }

    /// The node's topic, which no other node at the broker has.
    var root: String { "\(prefix)/\(node)" }

    var status: String { "\(root)/status" }
    /// The response topic of this node.
    var answers: String { "\(root)/answers" }
    /// The topics of the same node below another prefix.
    func under(_ prefix: String) -> Topics { Topics(prefix: prefix, node: node) }
    var capabilities: String { "\(root)/capabilities" }
    var ambient: String { "\(root)/ambient" }
    func state(of id: DisplayID) -> String { "\(root)/\(id)/state" }
    func leases(of id: DisplayID) -> String { "\(root)/\(id)/leases" }
    func light(of id: DisplayID) -> String { "\(root)/\(id)/light/state" }
    func lightCommand(of id: DisplayID) -> String { "\(root)/\(id)/light/set" }
    func awakeCommand(of id: DisplayID) -> String { "\(root)/\(id)/awake/set" }
    /// The topic of a command for all displays, or for those that its body names.
    func commandForAll(_ method: CommandMethod) -> String { "\(root)/all/\(method.rawValue)" }
    func command(_ method: CommandMethod, of id: DisplayID) -> String { "\(root)/\(id)/\(method.rawValue)" }

    /// The retained topics of a display. The state is last: it makes the display known to others.
    func retained(of id: DisplayID) -> [String] { [leases(of: id), light(of: id), state(of: id)] }

    /// The idempotent commands: a message may arrive twice.
    static let methods: [CommandMethod] = CommandMethod.allCases.filter { $0 != .move }

    /// No display has this id.
    private static let illuminance = "illuminance"

    private static let retainedNames: Set<String> = ["state", "leases", "light/state"]

    /// The subscriptions for commands, and for retained messages of removed displays.
    var subscriptions: [MQTTSubscription] {
        let commands = ["\(root)/+", "\(prefix)/all/+"].flatMap { display in
            (Self.methods.map(\.rawValue) + ["light/set", "awake/set"]).map { MQTTSubscription("\(display)/\($0)") }
        }
        // Each topic: an earlier run may have cleared only some of them.
        let retained = Self.retainedNames.map {
            MQTTSubscription("\(root)/+/\($0)", wantsRetained: true)
        }
        return commands + [MQTTSubscription("\(root)/\(Self.illuminance)/+")] + retained
    }

    /// The meaning of a topic for this node.
    enum TopicKind: Hashable, Sendable {
        /// A command for a display's id, or `all`, to this node or to every node.
        case command(CommandMethod, String, isForAllNodes: Bool)
        case light(String)
        /// Home Assistant's switch *Keep awake*.
        case awake(String)
        /// A retained fact of a display.
        case retained(String)
        /// The reading of a remote light sensor, by its name.
        case illuminance(String)
    }

    func kind(of topic: String) -> TopicKind? {
        // A gateway receives thousands of messages of other nodes a second.
        guard TopicName.isTopic(topic, of: node.text, or: "all", under: prefix) else { return nil }
        guard let levels = TopicName.levels(of: topic, under: prefix) else { return nil }
        guard levels.count >= 3, levels[0] == node.text || levels[0] == "all", !levels[1].isEmpty else { return nil }
        let display = String(levels[1])
        if display == Self.illuminance {
            return levels.count == 3 && levels[0] == node.text ? .illuminance(String(levels[2])) : nil
        }
        switch levels[2...].joined(separator: "/") {
        case "light/set": return .light(display)
        case "awake/set": return .awake(display)
        case let name where Self.retainedNames.contains(name): return levels[0] == "all" ? nil : .retained(display)
        case let name:
            guard let method = CommandMethod(rawValue: name), Self.methods.contains(method) else { return nil }
            return .command(method, display, isForAllNodes: levels[0] == "all")
        }
    }

    /// Whether answers may be sent to a topic: only to `PREFIX/NAME/answers`, where `NAME` is one as of a node.
    ///
    /// A stranger names the topic. So it is never one on which a daemon publishes anything else, and never one that the
    /// documented access list denies: some brokers close the connection of a client that publishes there.
    func admitsAnswers(on topic: String) -> Bool {
        guard let levels = TopicName.levels(of: topic, under: prefix), levels.count == 2 else { return false }
        return levels[1] == "answers" && NodeName(String(levels[0])) != nil
    }
}
