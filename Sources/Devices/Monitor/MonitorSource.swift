// SPDX-License-Identifier: Apache-2.0
package import BrightnessCore
import Glibc

/// Where monitors come from, and how they are treated.
package struct MonitorSource: Sendable {
    /// How often a monitor is written in a day: a boost and its end every ten minutes, day and night. The memory of the
    /// weakest is said to bear 100,000 writes, which lasts for a year even if every day is like that.
    package static let usualWritesPerDay = 300

    private let sysfsRoot: String
    /// `nil` where it is not installed.
    private let helper: DDCHelper?
    private let writesPerDay: Int
    private let source: NotificationSource
    private let now: @Sendable () -> Moment

    /// - Parameters:
    ///   - program: The helper's path; `nil` where it is not installed.
    ///   - source: Tells whether somebody looks.
    package init(
        program: String? = Self.program,
        sysfsRoot: String,
        writesPerDay: Int,
        source: NotificationSource,
        now: @escaping @Sendable () -> Moment
    ) {
        self.sysfsRoot = sysfsRoot
        self.writesPerDay = writesPerDay
        self.source = source
        self.now = now
        helper = program.map { DDCHelper(path: $0, sysfsRoot: sysfsRoot) }
    }

    /// The helper, beside this program or in the `libexec` beside its directory; `nil` where there is none.
    package static var program: String? {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink("/proc/self/exe", &buffer, buffer.count)
        guard count > 0 else { return nil }
        let path = String(decoding: buffer.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self)
        let directory = path.prefix(upTo: path.lastIndex(of: "/") ?? path.startIndex)
        return ["\(directory)/brightness-ddc", "\(directory)/../libexec/brightness-ddc"].first { access($0, X_OK) == 0 }
    }

    /// Searches the buses, which takes seconds; not at all where there is none.
    func detect() throws(MonitorNote) -> [DDCHelper.Found] {
        guard Self.hasBus(sysfsRoot: sysfsRoot) else { throw .noBus(Self.buses(under: sysfsRoot)) }
        guard let helper else { throw .noHelper }
        do throws(DeviceError) {
            return try helper.detect()
        } catch {
            throw .helper(error)
        }
    }

    /// Begins the stop: see `DDCHelper.beginStop`.
    package func beginStop() { helper?.beginStop() }

    static func hasBus(sysfsRoot: String) -> Bool {
        let directory = buses(under: sysfsRoot)
        return (0..<256).contains { access("\(directory)/i2c-\($0)", F_OK) == 0 }
    }

    private static func buses(under sysfsRoot: String) -> String { "\(sysfsRoot)/class/i2c-dev" }

    /// Reads a monitor for its maximum.
    func open(_ found: DDCHelper.Found, minimum: Brightness) throws(DeviceError) -> DisplayService.Seat {
        guard let helper else { throw .absent(path: "ddc:\(found.id)") }
        let panel = try DDCMonitor(
            found,
            by: helper,
            minimum: minimum,
            writesPerDay: writesPerDay,
            source: source,
            now: now
        )
        return DisplayService.Seat(panel, on: SerialQueue("panel.\(found.id)"))
    }
}

/// What the log should say about monitors.
package enum MonitorNote: Error, Hashable, Sendable {
    /// There is no i2c bus in this directory, so nobody looks for monitors.
    case noBus(String)
    case noHelper
    /// The helper could not search.
    case helper(DeviceError)
    /// Buses were searched, and no monitor answered.
    case none
    /// A monitor that was found and is waited for.
    case asleep(DDCHelper.Found)
    /// A monitor that was found and is left out.
    case leftOut(DDCHelper.Found, DeviceError)

    /// Whether somebody has something to repair.
    package var isWarning: Bool {
        switch self {
        case .noBus, .none, .asleep: false
        case .noHelper, .helper, .leftOut: true
        }
    }
}

extension MonitorNote: CustomStringConvertible {
    package var description: String {
        switch self {
        case .noBus(let directory):
            "no i2c bus under \(directory): monitors over DDC/CI are off (modprobe i2c-dev)"
        case .noHelper:
            "no brightness-ddc beside brightnessd: monitors over DDC/CI are off"
        case .helper(.io(let path, _)):
            "\(path) ended at once: monitors over DDC/CI are off. Is libddcutil there (Debian: libddcutil4)?"
        case .helper(let error):
            "monitors over DDC/CI are off: \(error.logText)"
        case .none:
            "no monitor answers over DDC/CI: switched off, or this process may not use /dev/i2c-* (group \"i2c\")"
        case .asleep(let found):
            "the monitor ddc:\(found.id) sleeps: it is taken when it is awake, since it is not woken to be asked for its range"
        case .leftOut(let found, let error):
            "left out the monitor ddc:\(found.id) on /dev/i2c-\(found.bus): \(error.logText)"
        }
    }
}
