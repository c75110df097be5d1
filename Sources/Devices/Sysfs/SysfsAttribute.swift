// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import CLinux
import Glibc

/// One file of a kernel device: a short text or a number, read and written whole.
///
/// It is opened anew each time, so a device that comes back under its old name is found again. Every call may block
/// in the driver.
/// - SeeAlso: Linux `Documentation/filesystems/sysfs.rst`
struct SysfsAttribute: Sendable {
    /// More than any number or word takes; whoever gives more is not the kernel.
    static let longest = 64

    let path: String

    /// The contents without the line end.
    ///
    /// - Parameter limit: The most bytes it may have, less one.
    /// - Throws: `.malformed` when empty or longer.
    func text(within limit: Int = longest) throws(DeviceError) -> String {
        let bytes = try bytes(atMost: limit)
        let line = bytes.last == UInt8(ascii: "\n") ? bytes.dropLast() : bytes[...]
        guard !line.isEmpty, bytes.count < limit else { throw malformed(bytes) }
        return String(decoding: line, as: UTF8.self)
    }

    /// The contents as a decimal number, as the kernel prints it: digits and nothing else.
    ///
    /// - Throws: `.malformed` when it is no number or none within `range`.
    func number(in range: ClosedRange<Int>) throws(DeviceError) -> Int {
        let text = try text()
        let isDecimal = text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        guard isDecimal, let number = Int(text), range.contains(number) else { throw malformed(Array(text.utf8)) }
        return number
    }

    /// Writes a number in one call, which is what the kernel takes for one value.
    func write(_ number: Int) throws(DeviceError) {
        let descriptor = try call { open(path, O_WRONLY | O_CLOEXEC) }
        defer { close(descriptor) }
        let text = String(number)
        let written = try call { Glibc.write(descriptor, text, text.utf8.count) }
        guard written == text.utf8.count else { throw .io(path: path, errno: EIO) }
        // Nothing on sysfs; elsewhere no rest of a longer number is left. Not before: at no instant is there no number.
        _ = ftruncate(descriptor, off_t(written))
    }

    /// Why this process may not write it, found out without writing; `nil` when it may.
    var writeRefusal: DeviceError? {
        do throws(DeviceError) {
            // The effective user and capabilities count, as they do for the write itself; access(2) takes the real ones.
            _ = try call { faccessat(AT_FDCWD, path, W_OK, AT_EACCESS) }
            return nil
        } catch {
            return error
        }
    }

    /// Whether the kernel serves it, and so says when it changes. A file elsewhere stands for one in tests.
    var isOnSysfs: Bool { clinux_is_on_sysfs(path) != 0 }

    private func bytes(atMost limit: Int) throws(DeviceError) -> [UInt8] {
        let descriptor = try call { open(path, O_RDONLY | O_CLOEXEC) }
        defer { close(descriptor) }
        var buffer = [UInt8](repeating: 0, count: limit)
        let count = try call { pread(descriptor, &buffer, limit, 0) }
        return Array(buffer.prefix(count))
    }

    private func call<Number: SignedInteger>(_ systemCall: () -> Number) throws(DeviceError) -> Number {
        switch uninterrupted(systemCall) {
        case .done(let number): return number
        case .failed(let errno): throw DeviceError(errno: errno, path: path)
        }
    }

    private func malformed(_ bytes: [UInt8]) -> DeviceError {
        let text = String(decoding: bytes, as: UTF8.self).unicodeScalars
        let excerpt = text.prefix(24).map { $0.escaped(asASCII: true) }.joined()
        return .malformed(path: path, text: text.count > 24 ? excerpt + "…" : excerpt)
    }
}

/// The two files by which backlights and LEDs are read and set alike: `max_brightness` and `brightness`.
struct SysfsSteps: Sendable {
    let range: BrightnessRange
    let brightness: SysfsAttribute

    /// Reads `max_brightness`, once.
    ///
    /// - Parameters:
    ///   - minimum: The guard as a fraction, see `BrightnessRange.guardStep`.
    ///   - lowest: The least step of the guard.
    /// - Throws: `.absent` when there is no such device, `.malformed` when it has no maximum of at least 1.
    init(directory: String, minimum: Brightness, lowest: Int = 1) throws(DeviceError) {
        let limit = SysfsAttribute(path: "\(directory)/max_brightness")
        // The kernel counts in `int`.
        let maximum = try limit.number(in: 1...Int(Int32.max))
        guard let range = BrightnessRange(guardedAt: minimum, maximum: maximum, lowest: lowest) else {
            throw .malformed(path: limit.path, text: String(maximum))
        }
        self.range = range
        brightness = SysfsAttribute(path: "\(directory)/brightness")
    }

    /// - Throws: `.absent` when the device is gone, `.malformed` when it shows no step it can have.
    func read() throws(DeviceError) -> Int { try brightness.number(in: 0...range.maximum) }

    func write(_ step: Int) throws(DeviceError) { try brightness.write(step) }
}
