// SPDX-License-Identifier: Apache-2.0
package import BrightnessCore
import Glibc
import Support

/// Finds and opens monitors.
package struct MonitorSource: Sendable {
    /// The default write budget per day: a boost and its end every ten minutes, day and night. The weakest memory is
    /// said to endure 100,000 writes, almost a year at this rate.
    package static let defaultWritesPerDay = 300

    private let sysfsRoot: String
    /// `nil` if it is not installed.
    private let helper: DDCHelper?
    private let writesPerDay: Int
    /// The monitors that may be switched off and on.
    private let switchable: Set<DisplayID>
    private let earlier: [DisplayID: DisplayRecord]
    private let source: NotificationSource
    private let now: @Sendable () -> Moment

    /// - Parameters:
    ///   - program: The helper's path; `nil` if it is not installed.
    ///   - switchable: The monitors that may be switched off and on.
    ///   - source: Reports whether a client watches.
    ///   - helperTime: The clock of a helper's next start after a failure.
    package init(
        program: String? = Self.program,
        sysfsRoot: String,
        writesPerDay: Int,
        switchable: Set<DisplayID> = [],
        goingOnFrom earlier: [DisplayID: DisplayRecord] = [:],
        source: NotificationSource,
        helperTime: @escaping @Sendable () -> ContinuousClock.Instant = { .now },
        now: @escaping @Sendable () -> Moment
    ) {
        self.sysfsRoot = sysfsRoot
        self.writesPerDay = writesPerDay
        self.switchable = switchable
        self.source = source
        self.now = now
        self.earlier = earlier
        let known = earlier.mapValues { $0.device.address(of: .ddc) ?? "" }
        helper = program.map { DDCHelper(path: $0, known: known, sysfsRoot: sysfsRoot, now: helperTime) }
    }

    /// The helper, in this program's directory or in `libexec` next to it; `nil` if there is none.
    static var program: String? {
        guard let path = linkTarget(of: "/proc/self/exe") else { return nil }
        let directory = path.prefix(upTo: path.lastIndex(of: "/") ?? path.startIndex)
        return ["\(directory)/brightness-ddc", "\(directory)/../libexec/brightness-ddc"].first { access($0, X_OK) == 0 }
    }

    /// Searches the buses, which takes seconds.
    func search() throws(MonitorProblem) -> DDCHelper.Search {
        guard Self.hasBus(sysfsRoot: sysfsRoot) else { throw .noBus(Self.buses(under: sysfsRoot)) }
        guard let helper else { throw .noHelper }
        return try Result { () throws(DeviceError) in try helper.search() }.mapError { MonitorProblem.helper($0) }.get()
    }

    /// The monitors of earlier runs, sorted by their ids.
    var known: [DDCHelper.Found] {
        earlier.values.filter { $0.device.address(of: .ddc) != nil }
            .compactMap { helper?.lastFound($0.id) }
            .sorted { $0.id.text < $1.id.text }
    }

    /// The monitors that an earlier run has changed: they have to be changed back.
    var pending: [DDCHelper.Found] { known.filter { hasChanged($0.id) } }

    /// Whether an earlier run has changed a monitor and has not changed it back.
    func hasChanged(_ id: DisplayID) -> Bool { earlier[id]?.needsRestore ?? false }

    /// A selected monitor that no search has found; `nil` if nothing is known of it.
    ///
    /// - Parameter hasFailed: Whether the search failed, so that the monitor may be there.
    func awaited(_ id: DisplayID, afterFailure hasFailed: Bool) -> DDCHelper.Found? {
        if earlier[id]?.device.address(of: .ddc) != nil { return helper?.lastFound(id) }
        return hasFailed ? DDCHelper.Found(id: id, at: "") : nil
    }

    /// Begins the stop: see `DDCHelper.beginStop`.
    package func beginStop() { helper?.beginStop() }

    static func hasBus(sysfsRoot: String) -> Bool {
        let directory = buses(under: sysfsRoot)
        return (0..<256).contains { access("\(directory)/i2c-\($0)", F_OK) == 0 }
    }

    private static func buses(under sysfsRoot: String) -> String { "\(sysfsRoot)/class/i2c-dev" }

    /// Opens a monitor; reads its maximum.
    func open(_ found: DDCHelper.Found, minimum: Brightness) throws(DeviceError) -> DisplayService.PanelRegistration {
        guard let helper else { throw .absent(path: "ddc:\(found.id)") }
        let panel = try DDCMonitor(
            found,
            by: helper,
            goingOnFrom: earlier[found.id],
            minimum: minimum,
            isSwitchable: switchable.contains(found.id),
            writesPerDay: writesPerDay,
            source: source,
            now: now
        )
        return DisplayService.PanelRegistration(panel)
    }
}

/// Why monitors, or one of them, cannot be used now.
package enum MonitorProblem: Error, Hashable, Sendable, CustomStringConvertible {
    /// The directory has no I2C bus.
    case noBus(String)
    case noHelper
    case helper(DeviceError)
    /// No monitor responded on any bus.
    case none
    /// The monitor is asleep and opened when it wakes.
    case asleep(DDCHelper.Found)
    /// The monitor cannot be used now, and is opened once it can.
    case waiting(DDCHelper.Found, DeviceError)
    /// Another display has the id of the monitor.
    case repeated(DDCHelper.Found)

    /// Whether a search that failed may succeed now.
    var isTransient: Bool { if case .helper = self { true } else { false } }

    /// Whether a person should fix something.
    var isWarning: Bool {
        switch self {
        case .noBus, .none, .asleep: false
        case .noHelper, .helper, .waiting, .repeated: true
        }
    }

    package var description: String {
        switch self {
        case .noBus(let directory):
            "no I2C bus under \(directory): monitors over DDC/CI are disabled (modprobe i2c-dev enables them)"
        case .noHelper:
            "monitors over DDC/CI are disabled: install the package brightness-ddc and restart the daemon"
        case .helper(.io(let path, _)):
            "\(path) exited at its start: monitors over DDC/CI are not available now. Is libddcutil installed (Debian "
                + "12: libddcutil4, Debian 13: libddcutil5)?"
        case .helper(let error):
            "monitors over DDC/CI are not available now: \(error.logText)"
        case .none:
            "no monitor responds over DDC/CI: all are off, or the user lacks permission for /dev/i2c-* (group "
                + "\"i2c\"); brightnessd probe shows which"
        case .asleep(let found):
            "the monitor ddc:\(found.id) is asleep; it is added when it wakes"
        case .waiting(let found, let error):
            "the monitor ddc:\(found.id) does not answer yet; it is tried again: \(error.logText)"
        case .repeated(let found):
            "skipping the monitor ddc:\(found.id) on /dev/i2c-\(found.bus): another display has this id"
        }
    }
}
