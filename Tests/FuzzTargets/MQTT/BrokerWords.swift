// SPDX-License-Identifier: Apache-2.0
import MQTT
import TestSupport

@testable import BrightnessCore
@testable import MQTTBridge

/// A topic, a line end, and a payload. Also read as a URL, and as a state of another daemon.
enum BrokerWords {
    static func check(_ bytes: [UInt8]) throws {
        let end = bytes.firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
        let (topic, payload) = (Array(bytes[..<end]).text, Array(bytes[end...].dropFirst()))
        try checkURL(topic)
        try checkTopic(topic)
        try RetainedState.check(payload)
        try RetainedLeases.check(payload)
        if let problem = JSONDocument(parsing: payload).flatMap({ ProblemDocument(reading: $0.root) }) {
            try require(problem.detail.isPlain && problem.name.isPlain, "the problem \(problem)")
        }
        if let body = try? RequestBody(parsing: payload),
            let command = try? HomeAssistantLight(from: body).command(for: CommandFacts.state)
        {
            try CommandFacts.check(command)
        }
        if let command = try? Command.awake(from: payload, isOverridden: true) { try CommandFacts.check(command) }
    }

    private static func checkURL(_ text: String) throws {
        if let url = BrokerURL(text) {
            try require((1...65_535).contains(url.port), "the port \(url.port)")
            try require(TopicName.isPrefix(url.prefix), "topics cannot begin with \(url.prefix)")
            let again = try require(BrokerURL(url.description), "\(url) is not a URL")
            let isSame = again.host == url.host && again.port == url.port && again.isEncrypted == url.isEncrypted
            try require(isSame, "\(url) is another URL")
            try require(!url.description.contains("@") || url.host.contains("@"), "\(url) shows a user")
        }
        if let filter = MirrorFilter(text) { try require(TopicName.isPrefix(filter.prefix), "topics cannot begin so") }
    }

    private static func checkTopic(_ topic: String) throws {
        for prefix in ["b", "a/b", "e\u{301}", "x\u{600}"] {
            let bytes = Array("\(prefix)/".utf8)
            let expected: [String]? =
                topic.utf8.starts(with: bytes)
                ? topic.utf8.dropFirst(bytes.count).split(
                    separator: UInt8(ascii: "/"),
                    omittingEmptySubsequences: false
                )
                .map { String(decoding: $0, as: UTF8.self) } : nil
            let levels = TopicName.levels(of: topic, under: prefix)?.map { String($0) }
            try require(
                levels == expected,
                "\(topic.debugDescription) under \(prefix.debugDescription): \(levels ?? [])"
            )
        }
        let topics = Topics(prefix: "b", node: try require(NodeName("lobby"), "a name"))
        switch topics.kind(of: topic) {
        case .command(let method, let display, let isForAllNodes):
            let place = "b/\(isForAllNodes ? "all" : "lobby")/\(display)/\(method.rawValue)"
            try require(topic == place, "\(topic) is taken for \(method.rawValue) of \(display)")
            try require(Topics.methods.contains(method), "\(method) over MQTT")
        case .awake(let display):
            try require(
                ["b/lobby/\(display)/awake/set", "b/all/\(display)/awake/set"].contains(topic),
                "\(topic) is taken for the switch of \(display)"
            )
        case .light(let display):
            try require(
                ["b/lobby/\(display)/light/set", "b/all/\(display)/light/set"].contains(topic),
                "a light: \(topic)"
            )
        case .retained(let display):
            let names = ["state", "leases", "light/state"].map { "b/lobby/\(display)/\($0)" }
            try require(names.contains(topic), "\(topic) is taken for what is retained")
        case .illuminance(let sensor):
            try require(topic == "b/lobby/illuminance/\(sensor)", "\(topic) is taken for a reading")
        case nil: break
        }
        if topics.admitsAnswers(on: topic) {
            try require(!topic.contains("+") && !topic.contains("#"), "an answer to \(topic)")
            let isOfNode = topic.hasPrefix("b/") && !topic.hasSuffix("/answers")
            try require(!isOfNode && topic != "b", "an answer may be taken for what a node says: \(topic)")
        }
        if let subject = MirrorFilter("b/+")?.subject(of: topic) {
            try require(subject.topics.prefix == "b", "another prefix")
            if case .state(let name) = subject.fact {
                try require(topic == "b/\(subject.topics.node)/\(name)/state", "a state: \(topic)")
            }
        }
    }
}
