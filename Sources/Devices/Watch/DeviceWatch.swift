// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import CLinux
import Conflation
import Dispatch
import Glibc
import Synchronization

/// Hears what happens to backlights, LEDs and sensors, the moment it does: uevents, which say who set a backlight and what
/// came and went, and the signs of files. One for all; any thread.
package final class DeviceWatch: Sendable {
    /// Whoever wants to know of one device.
    private struct Ear {
        let device: KernelDevice
        let signs: [DeviceSign]
        let tell: @Sendable (Cause.Kind) -> Void
        /// Open while the device is there.
        var senses: [Sense] = []
    }

    /// A sign that is watched: a descriptor in the epoll set, or a watch of the inotify instance.
    private enum Sense {
        case notice(descriptor: Int32)
        case writing(watch: Int32)
    }

    private struct State {
        var ears: [UInt64: Ear] = [:]
        var lastEar: UInt64 = 0
        /// Which ear and cause a descriptor or an inotify watch stands for.
        var notices: [Int32: (ear: UInt64, cause: Cause.Kind)] = [:]
        var writings: [Int32: (ear: UInt64, cause: Cause.Kind)] = [:]
        /// Whoever wants to know what came or went in a subsystem.
        var lookouts: [UInt64: (subsystems: Set<String>, signal: Signal)] = [:]
    }

    private let state = Mutex(State())
    private let epoll: Int32
    private let inotify: Int32
    // Read on `queue` only.
    private nonisolated(unsafe) let monitor: UeventMonitor?
    private nonisolated(unsafe) let source: any DispatchSourceRead

    /// Never fails: what cannot be heard is not told.
    package init() {
        epoll = epoll_create1(Int32(EPOLL_CLOEXEC))
        inotify = inotify_init1(Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK))
        monitor = UeventMonitor(subsystems: ["backlight", "iio", "leds"])
        source = DispatchSource.makeReadSource(fileDescriptor: epoll, queue: DispatchQueue(label: "devices"))
        for descriptor in [inotify, monitor?.descriptor ?? -1] where descriptor >= 0 {
            _ = add(descriptor, EPOLLIN.rawValue)
        }
        source.setEventHandler { [weak self] in self?.listen() }
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

    // MARK: Whoever wants to know

    /// From now on `tell` is called, on a thread of the watch, whenever something may have happened to the device.
    ///
    /// - Returns: What to give to `forget`.
    func listen(
        to device: KernelDevice,
        signs: [DeviceSign],
        tell: @escaping @Sendable (Cause.Kind) -> Void
    ) -> UInt64 {
        state.withLock { state in
            state.lastEar += 1
            state.ears[state.lastEar] = Ear(device: device, signs: signs, tell: tell)
            open(&state, ear: state.lastEar)
            return state.lastEar
        }
    }

    func forget(_ ear: UInt64) {
        state.withLock { state in
            close(&state, ear: ear)
            state.ears[ear] = nil
        }
    }

    /// One element whenever something came or went in one of these subsystems: "list them again".
    func arrivals(in subsystems: Set<String>) -> AsyncStream<Void> {
        let (arrivals, signal) = Signal.makeStream()
        let id = state.withLock { state in
            state.lastEar += 1
            state.lookouts[state.lastEar] = (subsystems, signal)
            return state.lastEar
        }
        // What is let go of may call back, so not under the lock.
        signal.onTermination { [weak self] in _ = self?.state.withLock { $0.lookouts.removeValue(forKey: id) } }
        return arrivals
    }

    private func open(_ state: inout State, ear id: UInt64) {
        guard let ear = state.ears[id], ear.senses.isEmpty else { return }
        for sign in ear.signs {
            switch sign.means {
            case .notice:
                guard case .done(let file) = uninterrupted({ Glibc.open(sign.path, O_RDONLY | O_CLOEXEC) }) else {
                    continue
                }
                // Each notice is an edge, so nothing has to be read in between, which might ask the hardware. A file
                // that is not on sysfs cannot be watched so.
                guard add(file, EPOLLPRI.rawValue | EPOLLET.rawValue) else {
                    Glibc.close(file)
                    continue
                }
                state.notices[file] = (id, sign.cause)
                state.ears[id]?.senses.append(.notice(descriptor: file))
            case .writing:
                let watch = inotify_add_watch(inotify, sign.path, UInt32(IN_MODIFY))
                guard watch >= 0 else { continue }
                state.writings[watch] = (id, sign.cause)
                state.ears[id]?.senses.append(.writing(watch: watch))
            }
        }
    }

    private func close(_ state: inout State, ear id: UInt64) {
        for sense in state.ears[id]?.senses ?? [] {
            switch sense {
            case .notice(let descriptor):
                state.notices[descriptor] = nil
                Glibc.close(descriptor)
            case .writing(let watch):
                state.writings[watch] = nil
                inotify_rm_watch(inotify, watch)
            }
        }
        state.ears[id]?.senses = []
    }

    private func add(_ descriptor: Int32, _ events: UInt32) -> Bool {
        var event = epoll_event(events: events, data: epoll_data_t(fd: descriptor))
        return epoll_ctl(epoll, EPOLL_CTL_ADD, descriptor, &event) == 0
    }

    // MARK: What happens

    private func listen() {
        var events = [epoll_event](repeating: epoll_event(), count: 32)
        let count = max(0, Int(epoll_wait(epoll, &events, Int32(events.count), 0)))
        // The kernel sends a backlight's uevent before it notifies the readers of its attributes, so the uevents of all
        // that was noticed are here. They go first: they know who it was.
        while let uevent = monitor?.next() { hear(uevent) }
        for event in events.prefix(count) {
            if event.data.fd == inotify { hearWritings() } else { hearNotice(event.data.fd) }
        }
    }

    private func hear(_ uevent: Uevent) {
        let (tells, lookouts) = state.withLock { state in
            let ears = state.ears.filter { $0.value.device == uevent.device }
            // What was opened before belongs to a device that is gone.
            for id in ears.keys where uevent.action != "change" {
                close(&state, ear: id)
                open(&state, ear: id)
            }
            let isChange = uevent.action == "change"
            let lookouts =
                isChange ? [] : state.lookouts.values.filter { $0.subsystems.contains(uevent.device.subsystem) }
            return (ears.values.map(\.tell), lookouts.map(\.signal))
        }
        for tell in tells { tell(uevent.source == "hotkey" ? .hotkey : .external) }
        for lookout in lookouts { lookout.send() }
    }

    private func hearNotice(_ descriptor: Int32) {
        let (tell, cause) = state.withLock { state in
            let notice = state.notices[descriptor]
            return (notice.flatMap { state.ears[$0.ear]?.tell }, notice?.cause)
        }
        if let tell, let cause { tell(cause) }
    }

    private func hearWritings() {
        // As many as there are; without names, a record is 16 bytes.
        var records = [inotify_event](repeating: inotify_event(), count: 64)
        while case .done(let size) = uninterrupted({ read(inotify, &records, records.count * 16) }), size > 0 {
            let heard = Set(records.prefix(size / 16).map(\.wd))
            let tells = state.withLock { state in
                heard.compactMap { watch in
                    state.writings[watch].flatMap { writing in state.ears[writing.ear].map { ($0.tell, writing.cause) }
                    }
                }
            }
            for (tell, cause) in tells { tell(cause) }
        }
    }
}

/// A file by which a device shows that something happened to it, for what sends no uevent.
struct DeviceSign: Hashable, Sendable {
    enum Means: Hashable, Sendable {
        /// The kernel notifies its readers (`sysfs_notify`, seen as `POLLPRI`).
        case notice
        /// Programs write to it (seen by inotify, which does not see what the kernel does itself).
        case writing
    }

    let path: String
    let means: Means
    /// What a change that is found then comes from.
    let cause: Cause.Kind
}
