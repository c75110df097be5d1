// SPDX-License-Identifier: Apache-2.0
package import BrightnessCore
import CLinux
import Dispatch
import Glibc
import Synchronization

/// Posts that somebody uses an input device of this machine: a keyboard, mouse, touch screen or remote control. Any
/// thread.
///
/// Only that an event came is used, and never which: events are read into a buffer that nothing looks at, so that the
/// kernel's queue is empty.
///
/// - A mouse sends 1,000 events a second. After a report all devices are ignored for a second, so a busy machine has
///   one wake a second.
/// - Devices come and go: changes of `/dev/input` are observed by inotify. Nothing blocks.
/// - SeeAlso: Linux `Documentation/input/input.rst`
package final class InputWatch: Sendable {
    private struct State {
        /// The names of the open devices, by descriptor.
        var devices: [Int32: String] = [:]
        /// Reported once.
        var isDenialReported = false
    }

    private enum Opened {
        case done, denied, skipped
    }

    /// The maximum number of devices to observe.
    static let limit = 256

    private let directory: String
    private let sysfsRoot: String
    private let delay: @Sendable (@escaping @Sendable () -> Void) -> Void
    private let poster: NotificationPoster
    /// Watches `inotify` and `deviceEpoll`.
    private let epoll: Int32
    private let inotify: Int32
    /// Watches the devices. It is disarmed after each event, and armed again after a pause.
    private let deviceEpoll: Int32
    private let state = Mutex(State())
    // Used by its queue, and cancelled once.
    private nonisolated(unsafe) let source: any DispatchSourceRead

    /// Never fails: without inotify, devices that are connected later are not noticed.
    ///
    /// - Parameters:
    ///   - directory: The directory of the devices.
    ///   - sysfsRoot: The mount point of sysfs, which describes the devices.
    ///   - delay: Calls its argument after a second, on any thread; `nil` uses the system's clock.
    package init(
        directory: String = "/dev/input",
        sysfsRoot: String = "/sys",
        delay: (@Sendable (@escaping @Sendable () -> Void) -> Void)? = nil,
        poster: NotificationPoster
    ) {
        let queue = DispatchQueue(label: "input")
        self.directory = directory
        self.sysfsRoot = sysfsRoot
        self.delay = delay ?? { body in queue.asyncAfter(deadline: .now() + .seconds(1), execute: body) }
        self.poster = poster
        epoll = epoll_create1(Int32(EPOLL_CLOEXEC))
        inotify = inotify_init1(Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK))
        deviceEpoll = epoll_create1(Int32(EPOLL_CLOEXEC))
        source = DispatchSource.makeReadSource(fileDescriptor: epoll, queue: queue)
        _ = Self.control(epoll, EPOLL_CTL_ADD, inotify, EPOLLIN.rawValue)
        _ = Self.control(epoll, EPOLL_CTL_ADD, deviceEpoll, EPOLLIN.rawValue | EPOLLONESHOT.rawValue)
        source.setEventHandler { [weak self] in self?.handleEvents() }
        source.setCancelHandler { [epoll, inotify, deviceEpoll] in
            for descriptor in [epoll, inotify, deviceEpoll] where descriptor >= 0 { Glibc.close(descriptor) }
        }
        watchDirectory()
        scan(isLast: true)
        source.activate()
    }

    deinit {
        for descriptor in state.withLock({ $0.devices.keys.map { $0 } }) { Glibc.close(descriptor) }
        source.cancel()
    }

    var names: [String] { state.withLock { $0.devices.values.sorted() } }

    private func handleEvents() {
        var events = [epoll_event](repeating: epoll_event(), count: 2)
        let count = max(0, Int(epoll_wait(epoll, &events, Int32(events.count), 0)))
        for event in events.prefix(count) {
            if event.data.fd == inotify { directoryChanged() } else { readActivity() }
        }
    }

    // MARK: Events

    /// Reports what came since the last time, and waits for more: after a pause if something came, else at once.
    private func readActivity() {
        guard drain() else {
            _ = Self.control(epoll, EPOLL_CTL_MOD, deviceEpoll, EPOLLIN.rawValue | EPOLLONESHOT.rawValue)
            return
        }
        delay { [weak self] in self?.readActivity() }
        poster.post(.activity)
    }

    /// Reads all events away. Returns whether there was any.
    private func drain() -> Bool {
        var events = [epoll_event](repeating: epoll_event(), count: 32)
        let count = max(0, Int(epoll_wait(deviceEpoll, &events, Int32(events.count), 0)))
        var (hasAny, hasGone) = (false, false)
        for event in events.prefix(count) {
            let (hasEvents, isGone) = Self.empty(event.data.fd)
            if hasEvents { hasAny = true }
            if isGone {
                close(event.data.fd)
                hasGone = true
            }
        }
        // It may be back by the same name, which was not opened while the old one was.
        if hasGone { scan(isLast: false) }
        return hasAny
    }

    /// - Returns: Whether there were events, and whether the device is gone.
    private static func empty(_ descriptor: Int32) -> (hasEvents: Bool, isGone: Bool) {
        withUnsafeTemporaryAllocation(byteCount: 4_096, alignment: 8) { buffer in
            var hasEvents = false
            // The kernel keeps fewer events than this.
            for _ in 0..<64 {
                switch uninterrupted({ read(descriptor, buffer.baseAddress, buffer.count) }) {
                case .done(0): return (hasEvents, true)
                case .done: hasEvents = true
                case .failed(EAGAIN): return (hasEvents, false)
                case .failed: return (hasEvents, true)
                }
            }
            return (hasEvents, false)
        }
    }

    // MARK: Devices

    private func directoryChanged() {
        // The events themselves do not matter: the directory is read again.
        withUnsafeTemporaryAllocation(byteCount: 4_096, alignment: 8) { buffer in
            while case .done(let size) = uninterrupted({ read(inotify, buffer.baseAddress, buffer.count) }), size > 0 {}
        }
        watchDirectory()
        scan(isLast: false)
    }

    /// Watches the directory, or until it exists the one above.
    private func watchDirectory() {
        // udevd changes the group of a device after the kernel has created it.
        if inotify_add_watch(inotify, directory, UInt32(IN_CREATE | IN_ATTRIB)) >= 0 { return }
        let above = directory.split(separator: "/").dropLast().joined(separator: "/")
        _ = inotify_add_watch(inotify, "/\(above)", UInt32(IN_CREATE))
    }

    /// Opens new devices.
    ///
    /// - Parameter isLast: Whether to report a denied one. Otherwise udevd may not have granted access yet, so there is
    ///   another scan.
    private func scan(isLast: Bool) {
        let names = SysfsDirectory(path: directory).names
        var denied: String?
        for name in names where InputDevice(name, sysfsRoot: sysfsRoot).isUsedByPeople {
            if case .denied = open(name) { denied = denied ?? "\(directory)/\(name)" }
        }
        guard let denied else { return }
        if !isLast { return delay { [weak self] in self?.scan(isLast: true) } }
        let isFirst = state.withLock { state in
            defer { state.isDenialReported = true }
            return !state.isDenialReported
        }
        if isFirst { poster.post(.notice(.inputDenied(path: denied))) }
    }

    private func open(_ name: String) -> Opened {
        state.withLock { state in
            guard !state.devices.values.contains(name), state.devices.count < Self.limit else { return .skipped }
            switch uninterrupted({ Glibc.open("\(directory)/\(name)", O_RDONLY | O_NONBLOCK | O_CLOEXEC) }) {
            case .done(let descriptor):
                guard Self.control(deviceEpoll, EPOLL_CTL_ADD, descriptor, EPOLLIN.rawValue) else {
                    Glibc.close(descriptor)
                    return .skipped
                }
                state.devices[descriptor] = name
                return .done
            case .failed(let errno):
                return errno == EACCES || errno == EPERM ? .denied : .skipped
            }
        }
    }

    private func close(_ descriptor: Int32) {
        state.withLock { state in
            guard state.devices.removeValue(forKey: descriptor) != nil else { return }
            Glibc.close(descriptor)
        }
    }

    private static func control(_ epoll: Int32, _ operation: Int32, _ descriptor: Int32, _ events: UInt32) -> Bool {
        var event = epoll_event(events: events, data: epoll_data_t(fd: descriptor))
        return epoll_ctl(epoll, operation, descriptor, &event) == 0
    }
}

/// An entry of `/dev/input`, as sysfs describes it.
struct InputDevice {
    /// Such as `event3`.
    let name: String
    private let folder: String

    init(_ name: String, sysfsRoot: String) {
        self.name = name
        folder = "\(sysfsRoot)/class/input/\(name)/device"
    }

    /// The device's name for people; `nil` if it has none.
    var title: String? { try? SysfsAttribute(path: "\(folder)/name").text() }

    /// Whether it is an event device that a person uses: one with keys or buttons, as touch screens have, too. Not an
    /// accelerometer, which sends events all the time, nor the switch of a lid or a plug.
    var isUsedByPeople: Bool {
        guard name.hasPrefix("event"), Int(name.dropFirst(5)) != nil else { return false }
        let accelerometer: UInt64 = 1 << 6
        if let properties = bits(of: "properties"), properties & accelerometer != 0 { return false }
        let keys: UInt64 = 1 << 1
        return bits(of: "capabilities/ev").map { $0 & keys != 0 } ?? true
    }

    /// The lowest bits of a bitmap in sysfs.
    private func bits(of file: String) -> UInt64? {
        (try? SysfsAttribute(path: "\(folder)/\(file)").text())?.split(separator: " ").last
            .flatMap { UInt64($0, radix: 16) }
    }
}
