// SPDX-License-Identifier: Apache-2.0
import MQTT

@testable import BrightnessCore
@testable import MQTTBridge

/// A retained discovery message. The daemon publishes the components that it reads from it.
enum RetainedDiscovery {
    static func check(_ json: [UInt8]) throws {
        let topics = Topics(prefix: "b", node: try require(NodeName("edge"), "a name"))
        let panel = HomeAssistantDisplay(id: try require(DisplayID("panel"), "an id"), name: "Panel")
        let device = Discovery.Device(displays: [panel], hasIlluminance: true)
        var discovery = Discovery(topics, prefix: "homeassistant", version: "1")
        let own = try components(discovery.config(of: device))
        discovery = Discovery(topics, prefix: "homeassistant", version: "1")
        discovery.recall(json)
        let config = discovery.config(of: device)
        try require(StrictJSON(config).isValid, "the configuration is not JSON: \(config.text)")
        let said = try components(config)
        try require(said.count <= Discovery.limit + own.count, "\(said.count) components")
        for (key, component) in said {
            if let mine = own[key] {
                try require(component == mine, "\(key) is another: \(component)")
                continue
            }
            guard case .object(let members) = component, case .string(let platform) = members["p"], members.count == 1
            else { throw BrokenFact(description: "\(key) is shown: \(component)") }
            let isPlain = (key + platform).utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
            try require(isPlain && key.utf8.count <= 80 && platform.utf8.count <= 32, "\(key) is a \(platform)")
        }
        // The next run does not publish components that are removed already.
        var later = Discovery(topics, prefix: "homeassistant", version: "1")
        later.recall(config)
        try require(try components(later.config(of: device)) == own, "a removed component is published again")
    }

    private static func components(_ config: [UInt8]) throws -> [String: JSONValue] {
        guard case .object(let root)? = JSONValue(parsing: config, upTo: .max),
            case .object(let components)? = root["components"]
        else { throw BrokenFact(description: "the configuration has no components") }
        return components
    }
}
