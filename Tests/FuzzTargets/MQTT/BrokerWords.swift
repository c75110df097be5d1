// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import MQTT
import TestSupport

@testable import MQTTBridge
@testable import WebAPI

/// A topic, a line end, and what is said there. Also read as a URL, and as a state of another daemon.
enum BrokerWords {
    static func check(_ bytes: [UInt8]) throws {
        let end = bytes.firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
        let (topic, payload) = (Array(bytes[..<end]).text, Array(bytes[end...].dropFirst()))
        try checkURL(topic)
        try checkTopic(topic)
        try checkState(payload)
        try checkLeases(payload)
        _ = CommandError(problem: payload)
        if let body = try? RequestBody(parsing: payload),
            let command = try? Command.light(from: body, showing: CommandFacts.state)
        {
            try CommandFacts.check(command)
        }
    }

    private static func checkURL(_ text: String) throws {
        if let url = BrokerURL(text) {
            try require((1...65_535).contains(url.port), "the port \(url.port)")
            try require(TopicName.isPrefix(url.prefix), "topics cannot begin with \(url.prefix)")
            let again = try require(BrokerURL(url.description), "\(url) is no URL")
            let isSame = again.host == url.host && again.port == url.port && again.isEncrypted == url.isEncrypted
            try require(isSame, "\(url) is another URL")
            try require(!url.description.contains("@") || url.host.contains("@"), "\(url) tells a user")
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
        switch topics.meaning(of: topic) {
        case .command(let method, let display):
            let places = ["b/lobby/\(display)/\(method)", "b/all/\(display)/\(method)"]
            try require(places.contains(topic), "\(topic) is taken for \(method) of \(display)")
            try require(method.writes && Topics.methods.contains(method), "\(method) over MQTT")
        case .light(let display):
            try require(
                ["b/lobby/\(display)/light/set", "b/all/\(display)/light/set"].contains(topic),
                "a light: \(topic)"
            )
        case .state(let display): try require(topic == "b/lobby/\(display)/state", "a state: \(topic)")
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

    private static func checkState(_ json: [UInt8]) throws {
        let id = try require(DisplayID("far:panel"), "an id")
        guard let state = DisplayState(mirrored: json, as: id, of: "far") else { return }
        try require((0...state.range.maximum).contains(state.step), "a step of \(state.step)")
        try require((0...1).contains(state.brightness.fraction), "a brightness of \(state.brightness)")
        // It is told on, by this daemon.
        let written = state.json
        try require(StrictJSON(written).isValid, "what is told is no JSON: \(written.text)")
        let again = try require(
            DisplayState(mirrored: written, as: id, of: "far"),
            "what is told has no meaning: \(written.text)"
        )
        let isSame =
            again.range == state.range && again.step == state.step && again.isAvailable == state.isAvailable
            && again.automatic == state.automatic && again.cause == state.cause && again.writes == state.writes
            && abs(again.baseline.fraction - state.baseline.fraction) < 1e-6
            && again.boost?.leases == state.boost?.leases && again.boost?.until == state.boost?.until
        try require(isSame, "\(state) was told as \(again)")
        try CommandFacts.checkCall(Command(.adjust(delta: 0.1)))
    }

    private static func checkLeases(_ json: [UInt8]) throws {
        let id = try require(DisplayID("far:panel"), "an id")
        for lease in (Lease.all(mirrored: json, on: id, at: .start) ?? [])
            + [Lease(mirrored: json, on: id, at: .start)].compactMap({ $0 })
        {
            try require((0...1).contains(lease.brightness.fraction), "a brightness of \(lease.brightness)")
            try require(lease.id.text.unicodeScalars.count <= 256, "a lease has a long id")
        }
    }
}
