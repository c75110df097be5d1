// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import CLinux
import Glibc
import Synchronization

/// A CEC adapter of the kernel, `/dev/cecN`. Any thread; `receive` is for one at a time.
///
/// - A file stays open to receive. It keeps no other program from sending or receiving. Each message is sent with a
///   file of its own.
/// - A program that claims the adapter for itself (`CEC_MODE_EXCL_INITIATOR`) makes a message fail with `EBUSY`.
/// - The kernel answers questions about identity: address, name, vendor and version.
/// - SeeAlso: Linux `Documentation/userspace-api/media/cec`
final class CECAdapter: CECBus {
    /// The name that televisions show for this machine, at most 14 bytes.
    private static let name = "brightnessd"
    /// The maximum time for an answer, by the specification.
    private static let timeout: UInt32 = 1_000
    /// An address is claimed within two seconds.
    private static let claimSteps = 20
    /// In microseconds.
    private static let claimStep: UInt32 = 100_000
    /// The kernel keeps fewer messages and events than this.
    private static let eventLimit = 64

    let path: String
    private let receiver = Mutex<CECFile?>(nil)

    init(path: String) { self.path = path }

    func check() throws(DeviceError) { _ = try CECFile(path).physicalAddress() }

    func addresses() throws(DeviceError) -> CECAddresses {
        let file = try CECFile(path)
        let physical = try file.physicalAddress()
        if let logical = try file.logicalAddress() { return CECAddresses(physical: physical, logical: logical) }
        if try file.isUnclaimed() { try file.claim(as: Self.name) }
        // After it was plugged in, the kernel claims the address by itself.
        for _ in 0..<Self.claimSteps {
            if let logical = try file.logicalAddress() { return CECAddresses(physical: physical, logical: logical) }
            usleep(Self.claimStep)
        }
        throw .io(path: path, errno: EADDRNOTAVAIL)
    }

    func send(_ message: CECMessage, expecting reply: CECReply) throws(DeviceError) -> CECResult {
        var transfer = cec_msg(message)
        switch reply {
        case .nothing: break
        case .opcode(let opcode): (transfer.reply, transfer.timeout) = (opcode.rawValue, Self.timeout)
        case .rejection: transfer.timeout = Self.timeout
        }
        let file = try CECFile(path)
        do throws(DeviceError) {
            try file.transmit(&transfer)
        } catch .io(_, EBUSY) {
            return .busy
        } catch .io(_, ENONET) {
            // This adapter sends nothing without the hot-plug pin.
            return .unacknowledged
        }
        return CECResult(transfer)
    }

    func receive(atMost time: Duration, wake: Int32) throws(DeviceError) -> [CECEvent] {
        do throws(DeviceError) {
            guard let file = receiver.withLock({ $0 }) else {
                let file = try CECFile(path, isBlocking: false)
                // The kernel requires that a receiver can send.
                try file.setMode(UInt32(CEC_MODE_INITIATOR | CEC_MODE_FOLLOWER))
                receiver.withLock { $0 = file }
                return [.changed]
            }
            return try file.wait(atMost: time, wake: wake, limit: Self.eventLimit)
        } catch {
            // The next call opens it again.
            receiver.withLock { $0 = nil }
            throw error
        }
    }
}

/// An open file of an adapter.
final class CECFile: Sendable {
    let path: String
    private let descriptor: Int32

    init(_ path: String, isBlocking: Bool = true) throws(DeviceError) {
        self.path = path
        let flags = O_RDWR | O_CLOEXEC | (isBlocking ? 0 : O_NONBLOCK)
        switch uninterrupted({ open(path, flags) }) {
        case .done(let file): descriptor = file
        case .failed(let errno): throw DeviceError(errno: errno, path: path)
        }
    }

    deinit { close(descriptor) }

    private func call(_ systemCall: (Int32) -> Int32) throws(DeviceError) {
        if case .failed(let errno) = uninterrupted({ systemCall(descriptor) }) {
            throw DeviceError(errno: errno, path: path)
        }
    }

    // MARK: Addresses

    /// The physical address.
    ///
    /// - Throws: `.unplugged` while nothing is plugged in.
    func physicalAddress() throws(DeviceError) -> UInt16 {
        var address: UInt16 = 0
        try call { clinux_cec_physical_address($0, &address) }
        guard address != UInt16(CEC_PHYS_ADDR_INVALID) else { throw .unplugged(path: path) }
        return address
    }

    /// The first logical address; `nil` without one.
    func logicalAddress() throws(DeviceError) -> UInt8? {
        var addresses = cec_log_addrs()
        try call { clinux_cec_logical_addresses($0, &addresses) }
        guard addresses.log_addr_mask != 0, addresses.log_addr.0 < CECAddresses.everyone else { return nil }
        return addresses.log_addr.0
    }

    /// Whether no program has chosen a kind of device. Otherwise the kernel claims an address by itself.
    func isUnclaimed() throws(DeviceError) -> Bool {
        var addresses = cec_log_addrs()
        try call { clinux_cec_logical_addresses($0, &addresses) }
        return addresses.num_log_addrs == 0
    }

    /// Claims the logical address of a playback device.
    func claim(as name: String) throws(DeviceError) { try call { clinux_cec_claim($0, name) } }

    /// The numbers of the graphics card and of its connector; `nil` if it has none.
    var connector: (card: UInt32, connector: UInt32)? {
        var connector = cec_connector_info()
        guard (try? call { clinux_cec_connector($0, &connector) }) != nil,
            connector.type == UInt32(CEC_CONNECTOR_TYPE_DRM)
        else { return nil }
        return (connector.drm.card_no, connector.drm.connector_id)
    }

    var driver: String? {
        var capabilities = cec_caps()
        guard (try? call { clinux_cec_capabilities($0, &capabilities) }) != nil else { return nil }
        return withUnsafeBytes(of: capabilities.driver) { bytes in
            String(decoding: bytes.prefix { (0x20..<0x7f).contains($0) }, as: UTF8.self)
        }
    }

    /// Whether a program keeps the adapter for itself. Tries to do the same for a moment.
    var isHeld: Bool {
        do throws(DeviceError) {
            try setMode(UInt32(CEC_MODE_EXCL_INITIATOR))
            try setMode(UInt32(CEC_MODE_INITIATOR))
            return false
        } catch .io(_, EBUSY) {
            return true
        } catch {
            return false
        }
    }

    // MARK: Messages

    func setMode(_ mode: UInt32) throws(DeviceError) { try call { clinux_cec_set_mode($0, mode) } }

    func transmit(_ message: inout cec_msg) throws(DeviceError) {
        try call { clinux_cec_transmit($0, &message) }
    }

    /// Waits for messages and changes, and reads them.
    ///
    /// - Parameters:
    ///   - wake: A descriptor that ends the wait.
    ///   - limit: The maximum number of each.
    func wait(atMost time: Duration, wake: Int32, limit: Int) throws(DeviceError) -> [CECEvent] {
        var items = [
            pollfd(fd: descriptor, events: Int16(POLLIN | POLLPRI), revents: 0),
            pollfd(fd: wake, events: Int16(POLLIN), revents: 0),
        ]
        let milliseconds = min(max(time / .milliseconds(1), 0).rounded(.up), 60_000)
        guard poll(&items, nfds_t(items.count), Int32(milliseconds)) > 0, items[0].revents != 0 else { return [] }
        var events: [CECEvent] = []
        var event = cec_event()
        for _ in 0..<limit {
            guard try isDone({ clinux_cec_event($0, &event) }) else { break }
            if !events.contains(.changed) { events.append(.changed) }
        }
        for _ in 0..<limit {
            var message = cec_msg()
            guard try isDone({ clinux_cec_receive($0, &message) }) else { break }
            if let message = CECMessage(message) { events.append(.message(message)) }
        }
        return events
    }

    /// Whether a call got something. Otherwise nothing is there.
    private func isDone(_ systemCall: (Int32) -> Int32) throws(DeviceError) -> Bool {
        do throws(DeviceError) {
            try call(systemCall)
            return true
        } catch .io(_, EAGAIN), .io(_, ETIMEDOUT) {
            return false
        }
    }
}

extension cec_msg {
    fileprivate init(_ message: CECMessage) {
        self.init()
        let bytes = message.bytes
        len = UInt32(bytes.count)
        withUnsafeMutableBytes(of: &msg) { $0.copyBytes(from: bytes) }
    }

    /// The bytes of the message, at most 16 whatever its length states.
    fileprivate var bytes: [UInt8] {
        withUnsafeBytes(of: msg) { Array($0.prefix(Int(min(len, UInt32(CECMessage.longest))))) }
    }
}

extension CECMessage {
    fileprivate init?(_ message: cec_msg) { self.init(bytes: message.bytes) }
}

extension CECResult {
    fileprivate init(_ message: cec_msg) {
        let (sent, received) = (Int32(message.tx_status), Int32(message.rx_status))
        if sent & CEC_TX_STATUS_OK == 0 {
            self = .unacknowledged
        } else if received & CEC_RX_STATUS_FEATURE_ABORT != 0 {
            self = .rejected
        } else if received & CEC_RX_STATUS_OK != 0, let reply = CECMessage(message) {
            self = .reply(reply)
        } else {
            self = .sent
        }
    }
}
