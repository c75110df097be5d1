// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import CLinux
import Glibc
import Support

/// One file of a kernel device: a short text or a number, read and written whole.
///
/// Each call opens the file again, so a device that returns under its old name is found. Every call may block in the
/// driver.
/// - SeeAlso: Linux `Documentation/filesystems/sysfs.rst`
struct SysfsAttribute: Sendable {
    /// In bytes; longer than any number or word of the kernel.
    static let longest = 64

    let path: String

    /// Reads the contents without the line end.
    ///
    /// - Parameter limit: In bytes. The contents must be shorter.
    /// - Throws: `.malformed` when empty or too long.
    func text(within limit: Int = longest) throws(DeviceError) -> String {
        let bytes = try bytes(atMost: limit)
        let line = bytes.last == UInt8(ascii: "\n") ? bytes.dropLast() : bytes[...]
        guard !line.isEmpty, bytes.count < limit else { throw malformed(bytes) }
        return String(decoding: line, as: UTF8.self)
    }

    /// Reads a decimal number, only digits.
    ///
    /// - Throws: `.malformed` for anything else, and for a number outside `range`.
    func number(in range: ClosedRange<Int>) throws(DeviceError) -> Int {
        let text = try text()
        guard text.utf8.allSatisfy(\.isDigit), let number = Int(text), range.contains(number) else {
            throw malformed(Array(text.utf8))
        }
        return number
    }

    /// Writes a number in one call, which the kernel reads as one value.
    func write(_ number: Int) throws(DeviceError) {
        let descriptor = try call { open(path, O_WRONLY | O_CLOEXEC) }
        defer { close(descriptor) }
        let text = String(number)
        let written = try call { Glibc.write(descriptor, text, text.utf8.count) }
        guard written == text.utf8.count else { throw .io(path: path, errno: EIO) }
        // No effect on sysfs; elsewhere it removes the rest of a longer number. After the write: the file is never
        // empty.
        _ = ftruncate(descriptor, off_t(written))
    }

    /// Why this process cannot write it, checked without writing; `nil` if it can.
    var writeRefusal: DeviceError? {
        do throws(DeviceError) {
            // Checks the effective user and capabilities, like the write itself; access(2) checks the real ones.
            _ = try call { faccessat(AT_FDCWD, path, W_OK, AT_EACCESS) }
            return nil
        } catch {
            return error
        }
    }

    /// Whether it is on sysfs, so that the kernel emits events. Tests use other files.
    var isOnSysfs: Bool { clinux_is_on_sysfs(path) != 0 }

    func bytes(atMost limit: Int) throws(DeviceError) -> [UInt8] {
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

/// The files `max_brightness` and `brightness` that backlights and LEDs share.
///
/// A driver may raise its maximum later, as amdgpu does from 255 to 65535. The range stays, and its steps are
/// converted.
struct SysfsSteps: Sendable {
    let range: BrightnessRange
    let brightness: SysfsAttribute
    private let maxBrightness: SysfsAttribute

    /// Reads `max_brightness` for the range.
    ///
    /// - Parameter minimum: The minimum as a fraction, see `BrightnessRange.minimumStep`.
    /// - Throws: `.absent` without such a device, `.malformed` without a maximum of at least 1.
    init(directory: String, minimum: Brightness, lowest: Int = 1) throws(DeviceError) {
        maxBrightness = SysfsAttribute(path: "\(directory)/max_brightness")
        // `int` in the kernel.
        let maximum = try maxBrightness.number(in: 1...Int(Int32.max))
        guard let range = BrightnessRange(minimumFraction: minimum, maximum: maximum, lowest: lowest) else {
            throw .malformed(path: maxBrightness.path, text: String(maximum))
        }
        self.range = range
        brightness = SysfsAttribute(path: "\(directory)/brightness")
    }

    /// - Throws: `.absent` if the device is gone, `.malformed` for a step outside the range.
    func read() throws(DeviceError) -> Int {
        let maximum = maximum
        return scaled(try brightness.number(in: 0...maximum), from: maximum, to: range.maximum)
    }

    func write(_ step: Int) throws(DeviceError) {
        try brightness.write(scaled(step, from: range.maximum, to: maximum))
    }

    /// The current maximum of the driver, but at least that of the range: with fewer steps than the range has, a
    /// written step would read back as another one.
    private var maximum: Int { (try? maxBrightness.number(in: range.maximum...Int(Int32.max))) ?? range.maximum }

    private func scaled(_ step: Int, from old: Int, to new: Int) -> Int {
        old == new ? step : Int((Double(step) * Double(new) / Double(old)).rounded())
    }
}

/// A directory of sysfs, such as a class with its devices.
struct SysfsDirectory: Sendable {
    let path: String

    /// The sorted names in it; empty if it cannot be listed.
    var names: [String] { (try? listing) ?? [] }

    /// The numbers of those that begin with a prefix, such as 0 of `cec0`; sorted.
    func numbers(after prefix: String) -> [Int] {
        names.filter { $0.hasPrefix(prefix) }.compactMap { Int($0.dropFirst(prefix.count)) }.sorted()
    }

    /// The devices of a class, sorted by name; none if it does not exist.
    ///
    /// - Throws: If it exists and cannot be listed.
    var devices: [KernelName] {
        get throws(DeviceError) { try listing.compactMap { KernelName($0) } }
    }

    private var listing: [String] {
        get throws(DeviceError) {
            guard let directory = opendir(path) else {
                let error = DeviceError(errno: errno, path: path)
                if case .absent = error { return [] }
                throw error
            }
            defer { closedir(directory) }
            var names: [String] = []
            errno = 0
            while let entry = readdir(directory) {
                let name = withUnsafePointer(to: &entry.pointee.d_name) { name in
                    // The C array is a tuple here, valid up to its zero byte.
                    name.withMemoryRebound(to: CChar.self, capacity: 1) { String(cString: $0) }
                }
                if name != "." && name != ".." { names.append(name) }
                errno = 0
            }
            guard errno == 0 else { throw DeviceError(errno: errno, path: path) }
            return names.sorted()
        }
    }
}
