// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import MQTT
import Testing

@testable import MQTTBridge

@Suite struct TopicsTests {
    let topics: Topics
    let panel: DisplayID

    init() throws {
        topics = Topics(prefix: "site/b", node: try #require(NodeName("lobby")))
        panel = try #require(DisplayID("eDP-1"))
    }

    @Test func `the topics are those of asyncapi.yaml`() {
        #expect(topics.status == "site/b/lobby/status")
        #expect(topics.ambient == "site/b/lobby/ambient")
        #expect(topics.state(of: panel) == "site/b/lobby/eDP-1/state")
        #expect(topics.leases(of: panel) == "site/b/lobby/eDP-1/leases")
        #expect(topics.capabilities == "site/b/lobby/capabilities")
        #expect(topics.command(.set, of: panel) == "site/b/lobby/eDP-1/set")
    }

    @Test(arguments: [
        ("site/b/lobby/eDP-1/set", Topics.TopicKind.command(.set, "eDP-1", isForAllNodes: false)),
        ("site/b/lobby/all/boost", .command(.lease(.boost), "all", isForAllNodes: false)),
        ("site/b/lobby/eDP-1/dim", .command(.lease(.dim), "eDP-1", isForAllNodes: false)),
        ("site/b/lobby/eDP-1/power", .command(.power, "eDP-1", isForAllNodes: false)),
        ("site/b/lobby/eDP-1/awake/set", .awake("eDP-1")),
        ("site/b/lobby/eDP-1/leases", .retained("eDP-1")),
        ("site/b/all/all/restore", .command(.restore, "all", isForAllNodes: true)),
        ("site/b/all/eDP-1/renew", .command(.renew, "eDP-1", isForAllNodes: true)),
        ("site/b/lobby/eDP-1/release", .command(.release, "eDP-1", isForAllNodes: false)),
        ("site/b/lobby/eDP-1/auto", .command(.auto, "eDP-1", isForAllNodes: false)),
        ("site/b/lobby/eDP-1/light/set", .light("eDP-1")),
        ("site/b/lobby/eDP-1/state", .retained("eDP-1")),
        ("site/b/lobby/eDP-1/light/state", .retained("eDP-1")),
        ("site/b/lobby/illuminance/window", .illuminance("window")),
        ("site/b/lobby/illuminance/set", .illuminance("set")),
        ("site/b/lobby/illuminance/a b", .illuminance("a b")),
    ])
    func `a topic is recognized as its kind`(topic: String, kind: Topics.TopicKind) {
        #expect(topics.kind(of: topic) == kind)
    }

    @Test(arguments: [
        "site/b/lobby/eDP-1/step", "site/b/lobby/eDP-1/get", "site/b/lobby/eDP-1/subscribe", "site/b/lobby/eDP-1",
        "site/b/lobby/status", "site/b/hall/eDP-1/set", "site/b/all/eDP-1/state", "site/b/all/eDP-1/leases",
        "site/b/lobby/eDP-1/boosts",
        "site/c/lobby/eDP-1/set", "site/b/all/illuminance/window", "site/b/hall/illuminance/window",
        "site/b/lobby/illuminance/light/set", "site/b/lobby/illuminance",
        "site/blobby/eDP-1/set", "site/b/lobby//set", "site/b/lobby/eDP-1/light/set/x", "site/b",
    ])
    func `an unknown topic is not recognized`(topic: String) {
        #expect(topics.kind(of: topic) == nil)
    }

    @Test(arguments: [
        ("site/b/hall/answers", true), ("site/b/maria-2/answers", true),
        ("answers/7", false), ("site/bb/hall/answers", false), ("homeassistant/device/b_lobby/config", false),
        ("site/b/hall/eDP-1/set", false), ("site/b/hall/status", false), ("site/b/hall/answers/state", false),
        ("site/b/all/answers", false), ("site/b//answers", false), ("site/b/+/answers", false),
        ("site/b/h\u{FFFE}/answers", false), ("site/b/answers", false), ("site/b", false), ("a/+", false),
        ("$SYS/x", false), ("", false),
    ])
    func `answers are allowed only on topics for answers`(topic: String, isAdmitted: Bool) {
        #expect(topics.admitsAnswers(on: topic) == isAdmitted)
    }

    @Test func `the subscriptions include every command of this node and of all nodes`() {
        let filters = topics.subscriptions.filter { !$0.wantsRetained }.map(\.filter)
        for method in Topics.methods {
            #expect(filters.contains("site/b/lobby/+/\(method.rawValue)"))
            #expect(filters.contains("site/b/all/+/\(method.rawValue)"))
        }
        #expect(filters.contains("site/b/lobby/illuminance/+"))
        #expect(filters.count == 2 * (Topics.methods.count + 2) + 1)
    }
}
