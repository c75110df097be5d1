// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import MQTT
import Testing

@testable import MQTTBridge

/// The discovery message of Home Assistant. The end-to-end tests check every key.
@Suite struct DiscoveryTests {
    var discovery: Discovery
    let display: HomeAssistantDisplay

    init() throws {
        let topics = Topics(prefix: "site/b", node: try #require(NodeName("Lobby-2")))
        discovery = Discovery(topics, prefix: "homeassistant", version: "1")
        display = .init(id: try #require(DisplayID("eDP-1")), name: "Built-in display")
    }

    private func components(_ config: [UInt8]) throws -> [String: JSONValue] {
        guard case .object(let root)? = JSONValue(parsing: config, upTo: .max),
            case .object(let components)? = root["components"]
        else { throw NoComponents() }
        return components
    }

    private struct NoComponents: Error {}

    @Test func `discovery topics consist of letters, digits, hyphens and underscores`() {
        #expect(discovery.topic == "homeassistant/device/site-2fb_Lobby-2/config")
        #expect(discovery.birthTopic == "homeassistant/status")
    }

    @Test mutating func `a display is a light with buttons and sensors`() throws {
        let components = try components(discovery.config(of: .init(displays: [display], hasIlluminance: true)))
        #expect(
            components.keys.sorted() == [
                "connection", "eDP-2d1_automatic", "eDP-2d1_boost", "eDP-2d1_boosted", "eDP-2d1_cause", "eDP-2d1_light",
                "eDP-2d1_restore",
                "illuminance",
            ]
        )
        guard case .object(let light)? = components["eDP-2d1_light"] else { throw NoComponents() }
        #expect(light["default_entity_id"] == .string("light.lobby_2_edp_1_light"))
        #expect(light["unique_id"] == .string("site/b/Lobby-2/eDP-2d1_light"))
        #expect(light["command_topic"] == .string("site/b/Lobby-2/eDP-1/light/set"))
        #expect(light["supported_color_modes"] == .array([.string("brightness")]))
    }

    @Test mutating func `a preset is a button until it is removed`() throws {
        let presets = ["film", "Gute Nacht"].compactMap { ResourceName($0) }
        let config = discovery.config(of: .init(displays: [], hasIlluminance: false, presets: presets))
        let found = try components(config)
        #expect(found.keys.sorted() == ["connection", "preset-Gute-20Nacht", "preset-film"])
        guard case .object(let film)? = found["preset-Gute-20Nacht"] else { throw NoComponents() }
        #expect(film["platform"] == .string("button"))
        #expect(film["name"] == .string("Gute Nacht"))
        #expect(film["command_topic"] == .string("site/b/Lobby-2/all/preset"))
        #expect(film["payload_press"] == .string(#"{"holder":"home-assistant","name":"Gute Nacht"}"#))
        let left = try components(discovery.config(of: .init(displays: [], hasIlluminance: false)))
        #expect(left["preset-film"] == .object(["platform": .string("button")]))
    }

    @Test mutating func `a display that cannot be dimmed is a switch`() throws {
        let relay = HomeAssistantDisplay(
            id: DisplayID("relay")!,
            name: "Relay",
            isDimmable: false,
            isSwitchable: true
        )
        let found = try components(discovery.config(of: .init(displays: [relay], hasIlluminance: false)))
        #expect(found.keys.sorted() == ["connection", "relay_awake", "relay_cause", "relay_power"])
        guard case .object(let power)? = found["relay_power"] else { throw NoComponents() }
        #expect(power["platform"] == .string("switch"))
        #expect(power["command_topic"] == .string("site/b/Lobby-2/relay/power"))
        #expect(power["payload_off"] == .string(#"{"holder":"home-assistant","on":false}"#))
    }

    @Test mutating func `a removed component keeps only its platform until it returns`() throws {
        let both = Discovery.Device(displays: [display], hasIlluminance: true)
        let none = Discovery.Device(displays: [], hasIlluminance: false)
        _ = discovery.config(of: both)
        let left = try components(discovery.config(of: none))
        #expect(left["eDP-2d1_light"] == .object(["platform": .string("light")]))
        #expect(left["illuminance"] == .object(["platform": .string("sensor")]))
        #expect(left["connection"] != .object(["platform": .string("binary_sensor")]))
        let back = try components(discovery.config(of: both))
        #expect(back["eDP-2d1_light"] != .object(["platform": .string("light")]))
    }

    @Test mutating func `of more removed components than the limit the oldest are forgotten`() throws {
        let none = Discovery.Device(displays: [], hasIlluminance: false)
        for number in 0..<300 {
            let id = try #require(DisplayID("page-\(number)"))
            _ = discovery.config(of: .init(displays: [.init(id: id, name: "A")], hasIlluminance: false))
            let config = discovery.config(of: none)
            guard number.isMultiple(of: 100) || number > 297 else { continue }
            let left = try components(config)
            #expect(left.count <= Discovery.limit + 1)
            #expect(left["page-2d\(number)_light"] == .object(["platform": .string("light")]))
        }
        #expect(try components(discovery.config(of: none))["page-2d0_light"] == nil)
    }

    @Test mutating func `the keys of the message are written in full`() throws {
        guard
            case .object(let root)? = JSONValue(
                parsing: discovery.config(of: .init(displays: [], hasIlluminance: false)),
                upTo: .max
            )
        else { throw NoComponents() }
        #expect(root.keys.sorted() == ["components", "device", "origin", "qos"])
        guard case .object(let device)? = root["device"], case .object(let origin)? = root["origin"] else {
            throw NoComponents()
        }
        #expect(device.keys.sorted() == ["identifiers", "manufacturer", "model", "name", "sw_version"])
        #expect(origin.keys.sorted() == ["name", "sw_version"])
    }

    @Test mutating func `components of an earlier run are removed once`() throws {
        var earlier = discovery
        let config = earlier.config(of: .init(displays: [display], hasIlluminance: false))
        discovery.recall(config)
        let left = discovery.config(of: .init(displays: [], hasIlluminance: false))
        #expect(try components(left)["eDP-2d1_boost"] == .object(["platform": .string("button")]))
        var later = try Discovery(
            Topics(prefix: "site/b", node: #require(NodeName("Lobby-2"))),
            prefix: "homeassistant",
            version: "1"
        )
        later.recall(left)
        #expect(
            try components(later.config(of: .init(displays: [], hasIlluminance: false))).keys.sorted() == ["connection"]
        )
    }

    private func discovery(_ prefix: String, _ node: String) throws -> Discovery {
        Discovery(Topics(prefix: prefix, node: try #require(NodeName(node))), prefix: "homeassistant", version: "1")
    }

    @Test func `nodes of different prefixes have different topics and unique ids`() throws {
        let pairs = [("x", "y_z"), ("x_y", "z"), ("x/y", "z"), ("x-y", "z"), ("x-2fy", "z"), ("x", "y-z")]
        var topics: Set<String> = []
        var ids: Set<String> = []
        for (prefix, node) in pairs {
            var discovery = try discovery(prefix, node)
            topics.insert(discovery.topic)
            for display in ["a", "z_a"] {
                let id = try #require(DisplayID(display))
                let config = discovery.config(of: .init(displays: [.init(id: id, name: "A")], hasIlluminance: false))
                guard case .object(let light)? = try components(config)["\(display)_light"],
                    case .string(let unique)? = light["unique_id"]
                else { throw NoComponents() }
                ids.insert(unique)
            }
        }
        #expect(topics.count == pairs.count)
        #expect(ids.count == 2 * pairs.count)
    }

    @Test mutating func `displays with similar ids have components of their own`() throws {
        let ids = try ["card.1", "card_1", "card-1", "card-2e1", "card:1"].map { try #require(DisplayID($0)) }
        let device = Discovery.Device(displays: ids.map { .init(id: $0, name: $0.text) }, hasIlluminance: false)
        let lights = try components(discovery.config(of: device)).keys.filter { $0.hasSuffix("_light") }
        #expect(
            lights.sorted() == [
                "card-2d1_light", "card-2d2e1_light", "card-2e1_light", "card-3a1_light", "card_1_light",
            ]
        )
    }

    private func planted(_ count: Int) -> [UInt8] {
        let components = (0..<count).map { "\"k\($0)_light\":{\"platform\":\"light\",\"q\":1}" }
        return Array("{\"components\":{\(components.joined(separator: ","))}}".utf8)
    }

    @Test mutating func `foreign components at the topic are limited in number`() throws {
        for _ in 0..<3 { discovery.recall(planted(5_000)) }
        let config = discovery.config(of: .init(displays: [display], hasIlluminance: false))
        #expect(try components(config).count <= Discovery.limit + 6)
        #expect(config.count < 65_536)
    }

    @Test mutating func `a configuration of more than 256 KiB is not parsed`() throws {
        discovery.recall(planted(200_000))
        let components = try components(discovery.config(of: .init(displays: [], hasIlluminance: false)))
        #expect(components.keys.sorted() == ["connection"])
    }

    @Test(arguments: [
        "", "[]", "{}",
        #"{"components":{"a b":{"platform":"light","q":1},"c":{"platform":"li/ght","q":1},"":{"platform":"x","q":1}}}"#,
        #"{"components":[]}"#, #"{"components":{"a":1,"b":{},"c":{"platform":1,"q":2}}}"#,
    ])
    mutating func `an invalid discovery message at the broker is ignored`(config: String) throws {
        discovery.recall(Array(config.utf8))
        let components = try components(discovery.config(of: .init(displays: [], hasIlluminance: false)))
        #expect(components.keys.sorted() == ["connection"])
    }
}
