// SPDX-License-Identifier: Apache-2.0
import BrightnessCore

@testable import Devices

/// Messages of a CEC bus, of at most 16 bytes. The first byte is the length of each, and the milliseconds between two.
/// The whole is an EDID as well.
enum TelevisionMessages {
    private static let own = CECAddresses(physical: 0x1000, logical: 4)

    static func check(_ bytes: [UInt8]) throws {
        guard let first = bytes.first else { return }
        let pause = Duration.milliseconds(Int(first))
        var (power, now) = (TelevisionPower(at: Instant(sinceBoot: .zero)), Instant(sinceBoot: .zero))
        var lastQuestion: Instant?
        var rest = bytes.dropFirst()
        while !rest.isEmpty {
            let message = Array(rest.prefix(1 + Int(first) % 20))
            rest = rest.dropFirst(message.count)
            now = now + pause
            if let message = try check(message: message) { power.received(message, at: now) }
            guard let next = power.nextQuestion, next <= now else { continue }
            if let lastQuestion {
                try require(now - lastQuestion >= TelevisionPower.shortestInterval, "asked after \(now - lastQuestion)")
            }
            power.ask(at: now)
            lastQuestion = now
        }
        try checkName(bytes)
    }

    private static func check(message bytes: [UInt8]) throws -> CECMessage? {
        guard let message = CECMessage(bytes: bytes) else {
            try require(bytes.count < 2 || bytes.count > CECMessage.longest, "\(bytes) was rejected")
            return nil
        }
        try require(message.bytes == bytes, "\(bytes) was read as \(message.bytes)")
        guard let answer = message.reply(from: own) else { return message }
        try require(answer.bytes.count <= CECMessage.longest, "an answer of \(answer.bytes.count) bytes")
        try require(answer.initiator == own.logical, "an answer from \(answer.initiator)")
        try require(answer.isBroadcast || answer.destination == message.initiator, "an answer to \(answer.destination)")
        try require(message.opcode != .standby && message.opcode != .featureAbort, "an answer to \(message.opcode)")
        return message
    }

    private static func checkName(_ bytes: [UInt8]) throws {
        let edid = bytes + [UInt8](repeating: 0, count: max(0, 128 - bytes.count))
        guard let name = CECConnector.productName(in: edid) else { return }
        let isPlain = name.utf8.allSatisfy { (0x20..<0x7f).contains($0) }
        try require(isPlain && (1...13).contains(name.utf8.count), "the name \(name.debugDescription)")
    }
}
