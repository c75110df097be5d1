// SPDX-License-Identifier: Apache-2.0
package import BrightnessCore
import Support
import Synchronization

/// Finds and opens the televisions at the machine's CEC adapters.
package final class TelevisionSource: Sendable {
    /// The numbers that the kernel gives CEC adapters.
    static let numbers = 0..<256
    /// The maximum number of adapters: more than any machine has.
    static let limit = 16

    private let sysfsRoot: String
    private let off: TelevisionOff
    private let source: NotificationSource
    private let now: @Sendable () -> Instant
    private let stop = Latch()
    private let isOpened = Atomic(false)

    /// - Parameters:
    ///   - off: How televisions are switched off.
    ///   - source: Reports whether a client watches.
    package init(
        sysfsRoot: String = "/sys",
        off: TelevisionOff = .standby,
        source: NotificationSource,
        now: @escaping @Sendable () -> Instant
    ) {
        (self.sysfsRoot, self.off, self.source, self.now) = (sysfsRoot, off, source, now)
    }

    /// Begins the stop: a switch that waits for its television ends soon.
    package func beginStop() { stop.release() }

    /// Whether a television was opened, alone or as a part of a pair; it may be unplugged since.
    package var hasOpened: Bool { isOpened.load(ordering: .relaxed) }

    /// The numbers of the adapters, in order.
    static var present: [Int] {
        Array(SysfsDirectory(path: "/dev").numbers(after: "cec").filter(numbers.contains).prefix(limit))
    }

    /// The numbers of the adapters that can have a television. One at 0.0.0.0 is an input: it is the television.
    var outputs: [Int] {
        Self.present.filter { number in
            guard let adapter = try? CECFile(Self.path(of: number)) else { return true }
            return (try? adapter.physicalAddress()) != 0
        }
    }

    static func path(of number: Int) -> String { "/dev/cec\(number)" }

    static func id(of number: Int) -> DisplayID {
        guard let id = DisplayID("cec\(number)") else { preconditionFailure("invalid id cec\(number)") }
        return id
    }

    /// Opens a television, and asks it for its status, which takes about a second. One that is unplugged is opened,
    /// too.
    ///
    /// - Throws: `.absent` without such an adapter; `.permission`.
    func open(_ number: Int) throws(DeviceError) -> DisplayService.PanelRegistration {
        let (id, path) = (Self.id(of: number), Self.path(of: number))
        let connector = CECConnector(of: try CECFile(path), sysfsRoot: sysfsRoot)
        let panel: CECTelevision
        do throws(ThreadError) {
            panel = try CECTelevision(
                id,
                name: connector?.monitor ?? "Television",
                on: CECAdapter(path: path),
                path: path,
                off: off,
                source: source,
                stop: stop,
                now: now
            )
            panel.askIfDue()
            try panel.start()
        } catch {
            throw .io(path: path, errno: error.code)
        }
        isOpened.store(true, ordering: .relaxed)
        return DisplayService.PanelRegistration(panel)
    }
}
