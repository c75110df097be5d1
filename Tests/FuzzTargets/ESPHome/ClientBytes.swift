// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import TestSupport

@testable import ESPHome

/// The bytes of an ESPHome client. The first selects what the server has: no key and an open window for one, a key, or
/// a key with a handshake that was completed.
enum ClientBytes {
    private static let key = NoiseKey(bytes: Array(0..<32))!
    private static let identity = Identity(machine: "lobby", id: "1")
    private static let id = DisplayID("panel")!
    /// The initiator's message of a Noise handshake with the key.
    private static let handshake: [UInt8] = [
        0xa4, 0xe0, 0x92, 0x92, 0xb6, 0x51, 0xc2, 0x78, 0xb9, 0x77, 0x2c, 0x56, 0x9f, 0x5f, 0xa9, 0xbb,
        0x13, 0xd9, 0x06, 0xb4, 0x6a, 0xb6, 0x8c, 0x9d, 0xf9, 0xdc, 0x2b, 0x44, 0x09, 0xf8, 0xa2, 0x09,
        0xf0, 0xc0, 0x0e, 0x96, 0x45, 0x84, 0x73, 0x00, 0x64, 0x79, 0xa4, 0xa6, 0xd2, 0xf4, 0xc0, 0xb6,
    ]

    static func check(_ bytes: [UInt8]) throws {
        let isPlain = (bytes.first ?? 0) % 3 == 0
        let whole = try answer(to: Array(bytes.dropFirst()), in: .max, isPlain: isPlain, bytes.first ?? 0)
        // However the bytes arrive, the answer is the same.
        let pieces = try answer(to: Array(bytes.dropFirst()), in: 1, isPlain: isPlain, bytes.first ?? 0)
        try require(whole == pieces, "the answer depends on the pieces: \(whole) or \(pieces)")
        if !isPlain { try checkMessages(bytes) }
    }

    /// Bytes that a client without the key cannot encrypt are messages nevertheless.
    private static func checkMessages(_ bytes: [UInt8]) throws {
        for type in MessageType.allCases { _ = try? ClientCommand(type, MessageFields(type, bytes[...]), of: 0) }
    }

    private static func answer(to bytes: [UInt8], in count: Int, isPlain: Bool, _ choice: UInt8) throws -> [UInt8] {
        let hub = NotificationHub()
        let range = try require(BrightnessRange(maximum: 100), "a range")
        let service = try DisplayService(
            [.init(ScriptedPanel(id, range: range, step: 50), on: ImmediateQueue())],
            poster: hub.poster,
            at: .start
        )
        // The service has the displays, and they have it: a million services would stay in memory.
        defer { service.withdraw(own: id) }
        let serverKey = ServerKey(isPlain ? nil : key) { _ in true }
        if isPlain { try serverKey.open(for: .seconds(60), at: Moment.start.instant) }
        let admission = try require(serverKey.admission(isLocal: true, at: Moment.start.instant), "an admission")
        let bridge = ESPHomeBridge(
            Surface(service, hub),
            .init(
                identity: identity,
                version: "1",
                key: serverKey,
                sensors: PushedSensors(
                    light: [PushedEntity("sensor.lux")].compactMap { $0 },
                    presence: [],
                    poster: hub.poster
                )
            )
        ) {}
        var session = ClientSession(admission)
        var transport = Transport(admission, identity) { [UInt8](repeating: 2, count: 32) }
        let input = (choice % 3 == 2 ? [1, 0, 0, 1, 0, 49, 0] + handshake : []) + bytes
        var output: [UInt8] = []
        var rest = input[...]
        do {
            while !rest.isEmpty, !session.isOver {
                transport.receive(rest.prefix(count))
                rest = rest.dropFirst(count)
                while let frame = try transport.next() {
                    try require(frame.body.count <= Frame.longest, "\(frame.body.count) bytes")
                    try session.receive(frame, bridge)
                    while let message = session.next(bridge) { transport.send(message) }
                    if session.isOver { break }
                }
                output += transport.output
                transport.output = []
            }
        } catch let fact as BrokenFact {
            throw fact
        } catch {
            output += transport.output
        }
        let step = service.state(of: id)?.step ?? -1
        try require((0...100).contains(step), "the step \(step)")
        if !session.isGreeted { try require(step == 50, "a stranger set the step \(step)") }
        return output + [UInt8(step)]
    }
}
