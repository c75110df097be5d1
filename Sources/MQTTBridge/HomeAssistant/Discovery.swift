// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import MQTT
import Support

/// The discovery message of Home Assistant: a node as a device with a light, buttons and sensors per display, a
/// button per preset, and the ambient light.
///
/// - One retained message per node, `PREFIX/device/ID/config`. A removed component stays in it with only its platform,
///   which makes Home Assistant delete it.
/// - SeeAlso: Home Assistant's documentation of MQTT, "Device discovery payload".
package struct Discovery {
    /// The displays and sensors to announce.
    struct Device: Hashable {
        var displays: [HomeAssistantDisplay]
        var hasIlluminance: Bool
        var presets: [ResourceName] = []
    }

    package static let defaultPrefix = "homeassistant"

    /// The maximum number of removed components in the message, in addition to the present ones.
    static let limit = 1_024
    /// The longest message of an earlier run, in bytes, that is parsed.
    static let longestConfig = 262_144

    private let topics: Topics
    private let prefix: String
    private let version: String
    /// The platforms of the removed components, in the order of their removal.
    private var removed = ConflatingQueue<String, String>()
    /// The platforms of the other announced components, by their keys; also those of an earlier run.
    private var announced: [String: String] = [:]

    init(_ topics: Topics, prefix: String, version: String) {
        self.topics = topics
        self.prefix = prefix
        self.version = version
    }

    var topic: String { "\(prefix)/device/\(deviceID)/config" }

    /// The topic of Home Assistant's birth message.
    var birthTopic: String { "\(prefix)/status" }

    /// The prefix has no `_` left, so the first one separates it from the node.
    private var deviceID: String { "\(Self.escaped(topics.prefix))_\(topics.node)" }

    /// Reads the message retained by an earlier run. Others may write there, too, so only components that such a run
    /// could have written count, at most `limit`.
    ///
    /// - Returns: Whether it has components that were not known.
    @discardableResult
    mutating func recall(_ config: [UInt8]) -> Bool {
        guard case .object(let root) = JSONValue(parsing: config, upTo: Self.longestConfig),
            case .object(let components) = root["components"]
        else { return false }
        var hasUnknown = false
        for (key, component) in components.sorted(by: { $0.key < $1.key }) {
            guard announced.count + removed.count < Self.limit else { break }
            // A component with only its platform is removed already.
            guard case .object(let members) = component, members.count > 1,
                case .string(let platform) = members["platform"],
                Self.isIdentifier(key, upTo: 256), Self.isIdentifier(platform, upTo: 32)
            else { continue }
            if announced.updateValue(platform, forKey: key) == nil, removed[key] == nil { hasUnknown = true }
        }
        return hasUnknown
    }

    mutating func config(of device: Device) -> [UInt8] {
        let components = components(of: device)
        let keys = Set(components.map(\.key))
        for (key, platform) in announced.sorted(by: { $0.key < $1.key }) where !keys.contains(key) {
            removed.append(platform, for: key)
        }
        for key in keys { removed.removeValue(for: key) }
        // The oldest ones have been published often.
        while removed.count > Self.limit { _ = removed.popFirst() }
        announced = Dictionary(components.map { ($0.key, $0.platform) }) { first, _ in first }
        return JSONWriter.object { json in
            json.member("device") { json in
                json.member("identifiers", deviceID)
                json.member("name", topics.node.text)
                json.member("manufacturer", "brightnessd")
                json.member("model", "Display brightness")
                json.member("sw_version", version)
            }
            json.member("origin") { json in
                json.member("name", "brightnessd")
                json.member("sw_version", version)
            }
            json.member("qos", 1)
            json.member("components") { json in
                for component in components {
                    json.name(any: component.key)
                    json.object { json in
                        json.member("platform", component.platform)
                        // Neither the node nor the key has a slash.
                        json.member("unique_id", "\(topics.prefix)/\(topics.node)/\(component.key)")
                        json.member("default_entity_id", "\(component.platform).\(entity(component))")
                        json.member("name", component.name)
                        component.write(&json)
                    }
                }
                for (key, platform) in removed {
                    json.name(any: key)
                    json.object { $0.member("platform", platform) }
                }
            }
        }
    }

    // MARK: Components

    private struct Component {
        /// `nil` for a component of the node.
        let display: DisplayID?
        /// Without `_`.
        let role: String
        let platform: String
        let name: String
        /// Writes the members apart from platform, names and ids.
        let write: (inout JSONWriter) -> Void

        /// Different for each display and role: the last `_` separates them.
        var key: String { display.map { "\(Discovery.escaped($0.text, keeping: "_"))_\(role)" } ?? role }
    }

    /// The proposed name of an entity after its platform: lower-case letters, digits and `_`. Home Assistant numbers
    /// equal ones.
    private func entity(_ component: Component) -> String {
        let words = [topics.node.text] + (component.display.map { [$0.text] } ?? []) + [component.role]
        let bytes = words.joined(separator: "_").utf8.map { $0.isLetterOrDigit ? $0 : UInt8(ascii: "_") }
        return String(decoding: bytes, as: UTF8.self).lowercased()
    }

    private func components(of device: Device) -> [Component] {
        let isOnlyOne = device.displays.count == 1
        var components = device.displays.flatMap { display in
            self.components(of: display, isOnlyOne: isOnlyOne, withLight: device.hasIlluminance)
        }
        components += device.presets.map { button(for: $0) }
        if device.hasIlluminance { components.append(illuminance) }
        components.append(connection)
        return components
    }

    private func components(
        of display: HomeAssistantDisplay,
        isOnlyOne: Bool,
        withLight hasLight: Bool
    ) -> [Component] {
        let namePrefix = isOnlyOne ? "" : "\(display.name): "
        return display.entities(withLight: hasLight).filter { $0.platform != .event }.map { entity in
            Component(
                display: display.id,
                role: entity.role,
                platform: entity.platform.rawValue,
                name: entity.name.isEmpty ? display.name : namePrefix + entity.name
            ) { json in
                write(entity, of: display.id, &json)
                if entity.isDiagnostic { json.member("entity_category", "diagnostic") }
                if let icon = entity.icon { json.member("icon", icon) }
                writeAvailability(of: display.id, &json)
            }
        }
    }

    private func write(_ entity: HomeAssistantEntity, of id: DisplayID, _ json: inout JSONWriter) {
        func topic(_ document: HomeAssistantEntity.Document) -> String {
            document == .state ? topics.state(of: id) : topics.leases(of: id)
        }
        switch entity.platform {
        case .light:
            json.member("schema", "json")
            json.member("brightness", true)
            json.member("brightness_scale", HomeAssistantLight.scale)
            json.member("supported_color_modes", each: ["brightness"]) { $0.string($1) }
            json.member("state_topic", topics.light(of: id))
            json.member("command_topic", topics.lightCommand(of: id))
        case .toggle where entity == .awake: json.member("command_topic", topics.awakeCommand(of: id))
        case .toggle:
            for isOn in [true, false] {
                guard let (method, body) = entity.request(on: isOn) else { continue }
                if isOn { json.member("command_topic", topics.command(method, of: id)) }
                json.member(isOn ? "payload_on" : "payload_off", Self.text(body))
                json.member(isOn ? "state_on" : "state_off", isOn ? "ON" : "OFF")
            }
        case .button:
            guard let press = entity.press else { break }
            json.member("command_topic", topics.command(press.method, of: id))
            json.member("payload_press", Self.text(press.body))
        case .binarySensor, .text, .event: break
        }
        if let template = entity.template {
            json.member("state_topic", topic(entity.document))
            json.member("value_template", template)
        }
        if let attributes = entity.attributes { json.member("json_attributes_topic", topic(attributes)) }
    }

    /// The body of a request as a payload, in the order of its members' names.
    private static func text(_ body: [String: JSONValue]) -> String {
        let bytes = JSONWriter.object { json in
            for (name, value) in body.sorted(by: { $0.key < $1.key }) {
                json.name(any: name)
                switch value {
                case .string(let text): json.string(text)
                case .bool(let bool): json.bool(bool)
                case .number, .object, .array, .null: json.null()
                }
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// A button that applies a preset to the displays of the node.
    private func button(for preset: ResourceName) -> Component {
        let role = "preset-\(Self.escaped(preset.text))"
        return Component(display: nil, role: role, platform: "button", name: preset.text) { json in
            json.member("icon", HomeAssistantEntity.presetIcon)
            json.member("command_topic", topics.commandForAll(.preset))
            json.member("payload_press", Self.text(HomeAssistantEntity.press(preset)))
            writeAvailabilityOfNode(&json)
        }
    }

    private var illuminance: Component {
        Component(display: nil, role: "illuminance", platform: "sensor", name: "Illuminance") { json in
            json.member("device_class", "illuminance")
            json.member("unit_of_measurement", "lx")
            json.member("state_class", "measurement")
            json.member("state_topic", topics.ambient)
            json.member("value_template", "{{ value_json.illuminance }}")
            writeAvailabilityOfNode(&json)
        }
    }

    /// The online state of the node, always available.
    private var connection: Component {
        Component(display: nil, role: "connection", platform: "binary_sensor", name: "Connection") { json in
            json.member("device_class", "connectivity")
            json.member("entity_category", "diagnostic")
            json.member("state_topic", topics.status)
            json.member("payload_on", "online")
            json.member("payload_off", "offline")
        }
    }

    private func writeAvailabilityOfNode(_ json: inout JSONWriter) {
        json.member("availability", objects: CollectionOfOne(topics.status)) { $0.member("topic", $1) }
    }

    /// Writes the conditions of availability: the node is online and the display is available.
    private func writeAvailability(of id: DisplayID, _ json: inout JSONWriter) {
        json.name("availability")
        let template = "{{ 'online' if value_json.available else 'offline' }}"
        json.array([(topics.status, String?.none), (topics.state(of: id), template)]) { json, source in
            json.object { json in
                json.member("topic", source.0)
                if let template = source.1 { json.member("value_template", template) }
            }
        }
        json.member("availability_mode", "all")
    }

    // MARK: Names

    /// Replaces each byte that is neither a letter, a digit nor one of `kept` by `-` and two hexadecimal digits, so
    /// that different texts stay different. Discovery topics and keys allow letters, digits, `_` and `-`.
    private static func escaped(_ text: String, keeping kept: String = "") -> String {
        text.utf8.reduce(into: "") { escaped, byte in
            if byte.isLetterOrDigit || kept.utf8.contains(byte) {
                escaped.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                let digits = String(byte, radix: 16)
                escaped += digits.utf8.count < 2 ? "-0\(digits)" : "-\(digits)"
            }
        }
    }

    /// Whether a text may be a key or a platform: letters, digits, `_` and `-`.
    private static func isIdentifier(_ text: String, upTo longest: Int) -> Bool {
        (1...longest).contains(text.utf8.count)
            && text.utf8.allSatisfy { $0.isLetterOrDigit || "_-".utf8.contains($0) }
    }
}
