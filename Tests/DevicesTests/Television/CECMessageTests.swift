// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Devices

@Suite struct CECMessageTests {
    private let own = CECAddresses(physical: 0x2100, logical: 4)

    @Test func `these bytes are sent`() {
        #expect(own.imageViewOn.bytes == [0x40, 0x04])
        #expect(own.activeSource.bytes == [0x4f, 0x82, 0x21, 0x00])
        #expect(own.standby.bytes == [0x40, 0x36])
        #expect(own.inactiveSource.bytes == [0x40, 0x9d, 0x21, 0x00])
        #expect(own.powerOnKey.bytes == [0x40, 0x44, 0x6d])
        #expect(own.keyReleased.bytes == [0x40, 0x45])
        #expect(own.givePowerStatus.bytes == [0x40, 0x8f])
    }

    @Test(arguments: [[UInt8](), [0x40], [UInt8](repeating: 1, count: 17)])
    func `a poll and a message that is too long are no messages`(bytes: [UInt8]) {
        #expect(CECMessage(bytes: bytes) == nil)
    }

    @Test func `a received message has the same bytes`() throws {
        let bytes: [UInt8] = [0x0f, 0x82, 0x10, 0x00]
        let message = try #require(CECMessage(bytes: bytes))
        #expect((message.initiator, message.destination, message.opcode) == (0, 15, .activeSource))
        #expect(message.bytes == bytes)
        #expect(message.isBroadcast)
    }

    @Test(arguments: [
        ([0x04, 0x90, 0x00] as [UInt8], CECPowerStatus.on), ([0x04, 0x90, 0x01], .standby),
        ([0x04, 0x90, 0x02], .turningOn), ([0x04, 0x90, 0x03], .turningOff),
        ([0x04, 0x90, 0x04], nil), ([0x04, 0x90], nil), ([0x04, 0x36], nil),
    ])
    func `a status is read from a report`(bytes: [UInt8], status: CECPowerStatus?) throws {
        #expect(CECPowerStatus(of: try #require(CECMessage(bytes: bytes))) == status)
    }

    @Test(arguments: [
        // Give Device Power Status: on.
        ([0x04, 0x8f] as [UInt8], [0x40, 0x90, 0x00] as [UInt8]?),
        // Unknown messages are rejected.
        ([0x04, 0x1a, 0x01], [0x40, 0x00, 0x1a, 0x00]), ([0x84, 0x44, 0x41], [0x48, 0x00, 0x44, 0x00]),
        // The television shows this machine's input.
        ([0x0f, 0x86, 0x21, 0x00], [0x4f, 0x82, 0x21, 0x00]),
        // The television shows another input.
        ([0x0f, 0x86, 0x10, 0x00], nil),
        // Never obeyed.
        ([0x04, 0x36], nil), ([0x0f, 0x36], nil),
        // Not for this machine, or from a device without an address.
        ([0x08, 0x8f], nil), ([0xf4, 0x8f], nil), ([0x04, 0x00, 0x04, 0x00], nil),
    ])
    func `a message gets this answer`(bytes: [UInt8], answer: [UInt8]?) throws {
        #expect(try #require(CECMessage(bytes: bytes)).reply(from: own)?.bytes == answer)
    }

    @Test func `a physical address is written with dots`() {
        #expect(CECAddresses.text(of: 0x21f0) == "2.1.f.0")
    }

    @Test func `a product name is read from an EDID`() {
        var edid = [UInt8](repeating: 0, count: 128)
        #expect(CECConnector.productName(in: edid) == nil)
        edid.replaceSubrange(72..<90, with: [0, 0, 0, 0xfc, 0] + Array("SAM\u{1b}SUNG\n     ".utf8))
        #expect(CECConnector.productName(in: edid) == "SAMSUNG")
    }
}
