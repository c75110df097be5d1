// SPDX-License-Identifier: Apache-2.0

/// A message on the CEC bus: at most 16 bytes, of which the first has both logical addresses.
///
/// - SeeAlso: HDMI 1.4b, supplement 1, table 8; `linux/cec.h`
struct CECMessage: Hashable, Sendable {
    /// In bytes, with the header and the opcode.
    static let longest = 16

    /// The logical address of the sender, 0…15.
    let initiator: UInt8
    /// The logical address of the receiver, 0…15; 15 for all.
    let destination: UInt8
    let opcode: CECOpcode
    /// At most 14 bytes.
    let operands: [UInt8]

    init(_ opcode: CECOpcode, _ operands: [UInt8] = [], from initiator: UInt8, to destination: UInt8) {
        (self.initiator, self.destination, self.opcode) = (initiator & 0xf, destination & 0xf, opcode)
        self.operands = Array(operands.prefix(Self.longest - 2))
    }

    /// Returns `nil` for a poll, which has no opcode, and for more than 16 bytes.
    init?(bytes: some Collection<UInt8>) {
        guard (2...Self.longest).contains(bytes.count) else { return nil }
        let bytes = Array(bytes)
        self.init(CECOpcode(rawValue: bytes[1]), Array(bytes[2...]), from: bytes[0] >> 4, to: bytes[0])
    }

    var bytes: [UInt8] { [initiator << 4 | destination, opcode.rawValue] + operands }

    var isBroadcast: Bool { destination == CECAddresses.everyone }

    /// The answer to a message; `nil` if it has none. Without a receiver in user space the kernel would reject what it
    /// does not answer itself, and with one it leaves that to the receiver.
    ///
    /// A Standby is not answered and not obeyed: this machine stays on.
    func reply(from own: CECAddresses) -> CECMessage? {
        // The television has switched to the input of this machine.
        if opcode == .setStreamPath, isBroadcast, operands == own.activeSource.operands { return own.activeSource }
        guard destination == own.logical, initiator != CECAddresses.everyone else { return nil }
        func reply(_ opcode: CECOpcode, _ operands: [UInt8]) -> CECMessage {
            CECMessage(opcode, operands, from: own.logical, to: initiator)
        }
        switch opcode {
        case .giveDevicePowerStatus:
            return reply(.reportPowerStatus, [CECPowerStatus.on.rawValue])
        case .standby, .featureAbort, .reportPowerStatus, .userControlReleased, .setOSDName:
            return nil
        default:
            // The reason 0: unrecognized opcode.
            return reply(.featureAbort, [opcode.rawValue, 0])
        }
    }
}

/// The second byte of a message.
struct CECOpcode: RawRepresentable, Hashable, Sendable {
    let rawValue: UInt8

    /// A message of ours was rejected: its opcode and the reason.
    static let featureAbort = CECOpcode(rawValue: 0x00)
    static let imageViewOn = CECOpcode(rawValue: 0x04)
    static let textViewOn = CECOpcode(rawValue: 0x0d)
    static let standby = CECOpcode(rawValue: 0x36)
    static let userControlPressed = CECOpcode(rawValue: 0x44)
    static let userControlReleased = CECOpcode(rawValue: 0x45)
    static let setOSDName = CECOpcode(rawValue: 0x47)
    static let activeSource = CECOpcode(rawValue: 0x82)
    static let setStreamPath = CECOpcode(rawValue: 0x86)
    static let giveDevicePowerStatus = CECOpcode(rawValue: 0x8f)
    static let reportPowerStatus = CECOpcode(rawValue: 0x90)
    static let inactiveSource = CECOpcode(rawValue: 0x9d)
}

/// The addresses of an adapter that is plugged in.
struct CECAddresses: Hashable, Sendable {
    /// The logical address of the television.
    static let television: UInt8 = 0
    /// The logical address of all devices, as a destination. As an initiator: of a device without an address.
    static let everyone: UInt8 = 15
    /// Image View On of a device without an address, the only message to a television that is unplugged: one that
    /// drops its hot-plug pin in standby.
    static let wake = CECMessage(.imageViewOn, from: everyone, to: television)

    /// The physical address, such as 0x1000 for 1.0.0.0.
    let physical: UInt16
    let logical: UInt8

    /// Such as `1.0.0.0`.
    static func text(of physical: UInt16) -> String {
        [12, 8, 4, 0].map { String(physical >> $0 & 0xf, radix: 16) }.joined(separator: ".")
    }

    // MARK: The messages that are sent

    private var physicalBytes: [UInt8] { [UInt8(physical >> 8), UInt8(physical & 0xff)] }

    var imageViewOn: CECMessage { toTelevision(.imageViewOn) }
    var standby: CECMessage { toTelevision(.standby) }
    var inactiveSource: CECMessage { toTelevision(.inactiveSource, physicalBytes) }
    var givePowerStatus: CECMessage { toTelevision(.giveDevicePowerStatus) }
    /// The key "Power On Function" of a remote control.
    var powerOnKey: CECMessage { toTelevision(.userControlPressed, [0x6d]) }
    var keyReleased: CECMessage { toTelevision(.userControlReleased) }
    var activeSource: CECMessage { CECMessage(.activeSource, physicalBytes, from: logical, to: Self.everyone) }

    private func toTelevision(_ opcode: CECOpcode, _ operands: [UInt8] = []) -> CECMessage {
        CECMessage(opcode, operands, from: logical, to: Self.television)
    }
}

/// The power that a device reports. 2 and 3 are transitions: they count as their end.
enum CECPowerStatus: UInt8, Sendable {
    case on = 0
    case standby = 1
    case turningOn = 2
    case turningOff = 3

    /// The status in a Report Power Status; `nil` for another message or an unknown status.
    init?(of message: CECMessage) {
        guard message.opcode == .reportPowerStatus, let byte = message.operands.first else { return nil }
        self.init(rawValue: byte)
    }

    var isOn: Bool { self == .on || self == .turningOn }
    var isTransition: Bool { self == .turningOn || self == .turningOff }
}
