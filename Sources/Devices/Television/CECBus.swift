// SPDX-License-Identifier: Apache-2.0
import BrightnessCore

/// The CEC adapter that a television is connected to. Injected, so that tests pass their own.
protocol CECBus: Sendable {
    /// The adapter's addresses. Claims a logical address if it has none, which blocks for half a second.
    ///
    /// - Throws: `.unplugged`, or `.absent` if the adapter does not exist.
    func addresses() throws(DeviceError) -> CECAddresses

    /// Whether it is plugged in. Sends nothing.
    ///
    /// - Throws: As `addresses`.
    func check() throws(DeviceError)

    /// Sends a message, and waits for what it expects. Blocks for about a second at most. No other program is kept from
    /// the bus before or after that.
    func send(_ message: CECMessage, expecting reply: CECReply) throws(DeviceError) -> CECResult

    /// Waits for messages and changes, at most for `time` or until `wake` is readable. For one thread.
    ///
    /// - Parameter wake: A descriptor.
    func receive(atMost time: Duration, wake: Int32) throws(DeviceError) -> [CECEvent]
}

/// The answer that a message expects.
enum CECReply: Hashable, Sendable {
    case nothing
    /// A message with this opcode.
    case opcode(CECOpcode)
    /// Nothing, or that the receiver rejects it.
    case rejection
}

/// The result of a message.
enum CECResult: Hashable, Sendable {
    /// It was sent. No answer is expected, or none came.
    case sent
    case reply(CECMessage)
    /// The receiver rejected it: Feature Abort.
    case rejected
    /// No device took it.
    case unacknowledged
    /// Another program holds the bus.
    case busy
}

/// An event that a receiver gets.
enum CECEvent: Hashable, Sendable {
    case message(CECMessage)
    /// It was plugged in or unplugged, or messages were lost.
    case changed
}
