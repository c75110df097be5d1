// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import CLinux
import Dispatch
import Glibc
import Support
import Synchronization

/// Observes backlights, LEDs, sensors and connectors: uevents, which report who set a backlight and which devices came
/// or went, and changes of files. One for all devices; any thread.
package final class DeviceWatch: Sendable {
    private struct Observer {
        let device: KernelDevice
        let files: [WatchedFile]
        let notify: @Sendable (Cause.Kind) -> Void
        /// Open while the device exists.
        var handles: [WatchHandle] = []
    }

    /// A watched file: a descriptor in the epoll set, or a watch of the inotify instance.
    private enum WatchHandle {
        case notice(descriptor: Int32)
        case writing(watch: Int32)
    }

    private struct State {
        var observers: [UInt64: Observer] = [:]
        var lastID: UInt64 = 0
        /// The observer and cause of each descriptor and inotify watch.
        var notices: [Int32: (observer: UInt64, cause: Cause.Kind)] = [:]
        var writings: [Int32: (observer: UInt64, cause: Cause.Kind)] = [:]
        /// The streams of devices that come or go in a subsystem.
        var arrivalStreams: [UInt64: (subsystems: Set<String>, signal: WakeSignal)] = [:]
    }

    private let state = Mutex(State())
    private let epoll: Int32
    private let inotify: Int32
    // Read on `queue` only.
    private nonisolated(unsafe) let monitor: UeventMonitor?
    private nonisolated(unsafe) let source: any DispatchSourceRead

    /// Never fails: without uevents or inotify fewer changes are reported.
    package init() {
        epoll = epoll_create1(Int32(EPOLL_CLOEXEC))
        inotify = inotify_init1(Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK))
        monitor = UeventMonitor(subsystems: ["backlight", "drm", "i2c-dev", "iio", "leds"])
        source = DispatchSource.makeReadSource(fileDescriptor: epoll, queue: DispatchQueue(label: "devices"))
        for descriptor in [inotify, monitor?.descriptor ?? -1] where descriptor >= 0 {
            _ = add(descriptor, EPOLLIN.rawValue)
        }
        source.setEventHandler { [weak self] in self?.handleEvents() }
        source.setCancelHandler { [epoll, inotify, monitor] in
            withExtendedLifetime(monitor) {}
            for descriptor in [epoll, inotify] where descriptor >= 0 { Glibc.close(descriptor) }
        }
        source.activate()
    }

    deinit {
        for descriptor in state.withLock({ $0.notices.keys.map { $0 } }) { Glibc.close(descriptor) }
        source.cancel()
    }

    // MARK: Observers

    /// Calls `notify`, on a thread of the watch, whenever the device may have changed.
    ///
    /// - Returns: The id for `forget`.
    func observe(
        to device: KernelDevice,
        files: [WatchedFile],
        notify: @escaping @Sendable (Cause.Kind) -> Void
    ) -> UInt64 {
        state.withLock { state in
            state.lastID += 1
            state.observers[state.lastID] = Observer(device: device, files: files, notify: notify)
            open(&state, observer: state.lastID)
            return state.lastID
        }
    }

    func forget(_ observer: UInt64) {
        state.withLock { state in
            close(&state, observer: observer)
            state.observers[observer] = nil
        }
    }

    /// One element whenever a device came or went in one of these subsystems, or something was plugged into one.
    func arrivals(in subsystems: Set<String>) -> AsyncStream<Void> {
        let (arrivals, signal) = WakeSignal.makeStream()
        let id = state.withLock { state in
            state.lastID += 1
            state.arrivalStreams[state.lastID] = (subsystems, signal)
            return state.lastID
        }
        // Releasing a stream may call back, so not under the lock.
        signal.onTermination { [weak self] in _ = self?.state.withLock { $0.arrivalStreams.removeValue(forKey: id) } }
        return arrivals
    }

    private func open(_ state: inout State, observer id: UInt64) {
        guard let observer = state.observers[id], observer.handles.isEmpty else { return }
        for file in observer.files {
            switch file.trigger {
            case .notice:
                guard case .done(let descriptor) = uninterrupted({ Glibc.open(file.path, O_RDONLY | O_CLOEXEC) }) else {
                    continue
                }
                // Edge-triggered, so that the file, which might query the hardware, need not be read in between. Files
                // outside of sysfs cannot be watched like this.
                guard add(descriptor, EPOLLPRI.rawValue | EPOLLET.rawValue) else {
                    Glibc.close(descriptor)
                    continue
                }
                state.notices[descriptor] = (id, file.cause)
                state.observers[id]?.handles.append(.notice(descriptor: descriptor))
            case .writing:
                let watch = inotify_add_watch(inotify, file.path, UInt32(IN_MODIFY))
                guard watch >= 0 else { continue }
                state.writings[watch] = (id, file.cause)
                state.observers[id]?.handles.append(.writing(watch: watch))
            }
        }
    }

    private func close(_ state: inout State, observer id: UInt64) {
        for handle in state.observers[id]?.handles ?? [] {
            switch handle {
            case .notice(let descriptor):
                state.notices[descriptor] = nil
                Glibc.close(descriptor)
            case .writing(let watch):
                state.writings[watch] = nil
                inotify_rm_watch(inotify, watch)
            }
        }
        state.observers[id]?.handles = []
    }

    private func add(_ descriptor: Int32, _ events: UInt32) -> Bool {
        var event = epoll_event(events: events, data: epoll_data_t(fd: descriptor))
        return epoll_ctl(epoll, EPOLL_CTL_ADD, descriptor, &event) == 0
    }

    // MARK: Events

    private func handleEvents() {
        var events = [epoll_event](repeating: epoll_event(), count: 32)
        let count = max(0, Int(epoll_wait(epoll, &events, Int32(events.count), 0)))
        // The kernel sends a backlight's uevent before it notifies the readers of its attributes, so the uevents of all
        // notices have arrived. They go first: they name the cause.
        while let uevent = monitor?.next() { handle(uevent) }
        for event in events.prefix(count) {
            if event.data.fd == inotify { handleWrites() } else { handleNotice(event.data.fd) }
        }
    }

    func handle(_ uevent: Uevent) {
        let (callbacks, arrivalStreams) = state.withLock { state in
            let observers = state.observers.filter { $0.value.device == uevent.device }
            // Handles opened before belong to a device that is gone.
            for id in observers.keys where uevent.action != "change" {
                close(&state, observer: id)
                open(&state, observer: id)
            }
            let isArrival = uevent.action != "change" || uevent.isHotplug
            let arrivalStreams =
                isArrival ? state.arrivalStreams.values.filter { $0.subsystems.contains(uevent.device.subsystem) } : []
            return (observers.values.map(\.notify), arrivalStreams.map(\.signal))
        }
        for notify in callbacks { notify(uevent.source == "hotkey" ? .hotkey : .external) }
        for stream in arrivalStreams { stream.send() }
    }

    private func handleNotice(_ descriptor: Int32) {
        let (notify, cause) = state.withLock { state in
            let notice = state.notices[descriptor]
            return (notice.flatMap { state.observers[$0.observer]?.notify }, notice?.cause)
        }
        if let notify, let cause { notify(cause) }
    }

    private func handleWrites() {
        // Reads every record; without a name one has 16 bytes.
        var records = [inotify_event](repeating: inotify_event(), count: 64)
        while case .done(let size) = uninterrupted({ read(inotify, &records, records.count * 16) }), size > 0 {
            let watches = Set(records.prefix(size / 16).map(\.wd))
            let callbacks = state.withLock { state in
                watches.compactMap { watch in
                    state.writings[watch].flatMap { writing in
                        state.observers[writing.observer].map { ($0.notify, writing.cause) }
                    }
                }
            }
            for (notify, cause) in callbacks { notify(cause) }
        }
    }
}

/// A file that shows changes of a device for which the kernel sends no uevent.
struct WatchedFile: Hashable, Sendable {
    enum Trigger: Hashable, Sendable {
        /// The kernel notifies its readers (`sysfs_notify`, seen as `POLLPRI`).
        case notice
        /// Programs write to it (seen by inotify, which does not see what the kernel does itself).
        case writing
    }

    let path: String
    let trigger: Trigger
    /// The cause of such a change.
    let cause: Cause.Kind
}
