// SPDX-License-Identifier: Apache-2.0
@testable import BrightnessCore
@testable import MQTTBridge
@testable import WebAPI

enum Bodies {
    static func check(_ bytes: [UInt8]) throws {
        try checkJSON(bytes)
        guard let body = try? RequestBody(parsing: bytes) else { return }
        for decode in decoders {
            guard let command = try? decode(body) else { continue }
            try CommandFacts.check(command)
            try CommandFacts.checkCall(command)
        }
        if let change = try? RoomChange(from: body) {
            try require(change.front.map { $0.lux <= 150_000 } ?? true, "there is more light than a room has")
        }
    }

    private static let decoders: [@Sendable (RequestBody) throws -> Command] = [
        { try Command.set(from: $0) },
        { try Command.move(from: $0) },
        { try Command.lease(from: $0) },
        { try Command.lease(.boost, from: $0) },
        { try CommandMethod.lease(.dim).command(from: $0, lifespan: .visible) },
        { try CommandMethod.lease(.sleep).command(from: $0, lifespan: .visible) },
        { try Command.power(from: $0) },
        { try Command.renew(LeaseID("lease"), from: $0) },
        { try Command.restore(from: $0) },
        { try Command.setAutomatic(from: $0) },
        { try Command.configure(from: $0) },
        { try HomeAssistantLight(from: $0).command(for: CommandFacts.state)! },
    ]

    // MARK: JSON

    /// The parser accepts RFC 8259 text, and writing and reading a value again does not change it.
    private static func checkJSON(_ bytes: [UInt8]) throws {
        let strict = StrictJSON(bytes)
        guard let value = JSONValue(parsing: bytes) else {
            // The size is checked before. A name with a zero character is rejected, since no member has one, and so is
            // a name that an object has twice.
            return try require(
                !strict.isValid || strict.deepest > 100 || strict.hasLongNumber || bytes.text.contains("\\u0000")
                    || JSONDocument(parsing: bytes) != nil,
                "JSON was refused: \(bytes.text.debugDescription)"
            )
        }
        try require(strict.isValid, "invalid JSON was accepted: \(bytes.text.debugDescription)")
        var writer = JSONWriter()
        write(value, to: &writer)
        try require(StrictJSON(writer.bytes).isValid, "the written text is not JSON: \(writer.bytes.text)")
        try require(JSONValue(parsing: writer.bytes) == value, "\(value) was read again as something else")
    }

    private static func write(_ value: JSONValue, to json: inout JSONWriter) {
        switch value {
        case .object(let members):
            json.object { json in
                for (name, value) in members.sorted(by: { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }) {
                    json.name(any: name)
                    write(value, to: &json)
                }
            }
        case .array(let elements): json.array(elements) { write($1, to: &$0) }
        case .string(let text): json.string(text)
        case .number(let number): json.raw(Array("\(number)".utf8))
        case .bool(let bool): json.raw(Array("\(bool)".utf8))
        case .null: json.raw(Array("null".utf8))
        }
    }
}
