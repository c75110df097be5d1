// SPDX-License-Identifier: Apache-2.0
@testable import BrightnessCore
@testable import MQTTBridge

/// A retained state of another daemon's display.
enum RetainedState {
    static func check(_ json: [UInt8]) throws {
        let id = try require(DisplayID("far:panel"), "an id")
        guard let state = DisplayState(mirrored: json, as: id, from: try RetainedLeases.reporter()) else { return }
        try require(json.count <= JSONDocument.defaultLongest, "a state of \(json.count) bytes")
        try require(state.kind == .remote && state.id == id, "\(state.id) is not of another daemon")
        try require((0...state.range.maximum).contains(state.step), "a step of \(state.step)")
        try require((0...1).contains(state.brightness.fraction), "a brightness of \(state.brightness)")
        try require((state.boost?.count ?? 0) >= 0, "\(state.boost?.count ?? 0) leases")
        try require(state.writes.map { $0.today >= 0 && $0.budget >= 0 } ?? true, "negative writes")
        for text in [state.name, state.cause.by, state.cause.reason].compactMap({ $0 }) {
            try require(text.isPlain && text.unicodeScalars.count <= 300, "the text \(text.debugDescription)")
        }
        // This daemon publishes it again, with the node in front of its name.
        guard state.name.unicodeScalars.count <= 256 else { return }
        let written = state.json
        try require(StrictJSON(written).isValid, "the document is not JSON: \(written.text)")
        let again = try require(
            DisplayState(mirrored: written, as: id, from: try RetainedLeases.reporter()),
            "the document is not a state: \(written.text)"
        )
        let isSame =
            again.range == state.range && again.step == state.step && again.unavailable == state.unavailable
            && again.automatic == state.automatic && again.cause == state.cause && again.writes == state.writes
            && abs(again.baseline.fraction - state.baseline.fraction) < 1e-6
            && again.boost?.count == state.boost?.count && again.boost?.until == state.boost?.until
            && again.dim?.count == state.dim?.count && again.sleep == state.sleep && again.power == state.power
        try require(isSame, "\(state) was published as \(again)")
        try CommandFacts.checkCall(Command(.move(delta: 0.1)))
    }
}
