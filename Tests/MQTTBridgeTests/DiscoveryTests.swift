// SPDX-License-Identifier: Apache-2.0
import BrightnessAPI
import BrightnessCore
import MQTT
import Testing

@testable import MQTTBridge

/// The discovery message of Home Assistant. The end-to-end tests check every key.
@Suite struct DiscoveryTests {
    var discovery: Discovery
    let display: Discovery.Device.Display

    init() throws {
        let topics = Topics(prefix: "site/b", node: try #require(NodeName("Lobby-2")))
        discovery = Discovery(topics, prefix: "homeassistant", version: "1")
        display = .init(id: try #require(DisplayID("eDP-1")), name: "Built-in display")
    }

    private func components(_ config: [UInt8]) throws -> [String: JSONValue] {
        guard case .object(let root)? = JSONValue(parsing: config, upTo: .max),
            case .object(let components)? = root["cmps"]
        else { throw NoComponents() }
        return components
    }

    private struct NoComponents: Error {}

    @Test func `discovery topics consist of letters, digits, hyphens and underscores`() {
        #expect(discovery.topic == "homeassistant/device/site_b_Lobby-2/config")
        #expect(discovery.birthTopic == "homeassistant/status")
    }

    @Test mutating func `a display is a light with buttons and sensors`() throws {
        let components = try components(discovery.config(of: .init(displays: [display], hasIlluminance: true)))
        #expect(
            components.keys.sorted() == [
                "connection", "eDP-1_boost", "eDP-1_boosted", "eDP-1_cause", "eDP-1_light", "eDP-1_restore",
                "illuminance",
            ]
        )
        guard case .object(let light)? = components["eDP-1_light"] else { throw NoComponents() }
        #expect(light["default_entity_id"] == .string("light.lobby_2_edp_1_light"))
        #expect(light["unique_id"] == .string("site_b_Lobby-2_eDP-1_light"))
        #expect(light["command_topic"] == .string("site/b/Lobby-2/eDP-1/light/set"))
        #expect(light["supported_color_modes"] == .array([.string("brightness")]))
    }

    @Test mutating func `a removed component keeps only its platform until it returns`() throws {
        let both = Discovery.Device(displays: [display], hasIlluminance: true)
        let none = Discovery.Device(displays: [], hasIlluminance: false)
        _ = discovery.config(of: both)
        let left = try components(discovery.config(of: none))
        #expect(left["eDP-1_light"] == .object(["p": .string("light")]))
        #expect(left["illuminance"] == .object(["p": .string("sensor")]))
        #expect(left["connection"] != .object(["p": .string("binary_sensor")]))
        let back = try components(discovery.config(of: both))
        #expect(back["eDP-1_light"] != .object(["p": .string("light")]))
    }

    @Test mutating func `components of an earlier run are removed once`() throws {
        var earlier = discovery
        let config = earlier.config(of: .init(displays: [display], hasIlluminance: false))
        discovery.recall(config)
        let left = discovery.config(of: .init(displays: [], hasIlluminance: false))
        #expect(try components(left)["eDP-1_boost"] == .object(["p": .string("button")]))
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

    private func planted(_ count: Int) -> [UInt8] {
        let components = (0..<count).map { "\"k\($0)_light\":{\"p\":\"light\",\"q\":1}" }
        return Array("{\"cmps\":{\(components.joined(separator: ","))}}".utf8)
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
        "", "[]", "{}", #"{"cmps":{"a b":{"p":"light","q":1},"c":{"p":"li/ght","q":1},"":{"p":"x","q":1}}}"#,
        #"{"cmps":[]}"#, #"{"cmps":{"a":1,"b":{},"c":{"p":1,"q":2}}}"#,
    ])
    mutating func `an invalid discovery message at the broker is ignored`(config: String) throws {
        discovery.recall(Array(config.utf8))
        let components = try components(discovery.config(of: .init(displays: [], hasIlluminance: false)))
        #expect(components.keys.sorted() == ["connection"])
    }
}
