// SPDX-License-Identifier: Apache-2.0
package import BrightnessCore
import Support

/// How panels learn that another program may have set them, apart from the read before each command; and how new
/// devices are found.
///
/// - By events of the kernel, at once.
/// - By polling once a second while a client watches the displays: LEDs that firmware changes, and drivers that switch
///   a panel off and on, emit no event.
/// - The signal of a panel causes no event either: without a watching client it is polled twice a minute.
/// - Outside of sysfs, where no events exist, by polling once a second always.
package struct PanelWatch: Sendable {
    static let pollInterval: Duration = .seconds(1)
    static let slowInterval: Duration = .seconds(30)

    let devices: DeviceWatch?
    private let source: NotificationSource
    private let clock: any Clock<Duration>

    /// - Parameters:
    ///   - devices: The events of the kernel; `nil` for none.
    ///   - source: Reports whether a client watches. By default none ever does.
    package init(
        _ devices: DeviceWatch? = nil,
        source: NotificationSource = .silent,
        clock: any Clock<Duration> = ContinuousClock()
    ) {
        self.devices = devices
        self.source = source
        self.clock = clock
    }

    /// The stream for `Panel.changes`. Ends with the task that reads it.
    ///
    /// - Parameters:
    ///   - isOnSysfs: Whether the kernel emits events for the device.
    ///   - hasSignal: Whether the device has a signal to read.
    func changes(
        of device: KernelDevice,
        files: [WatchedFile],
        isOnSysfs: Bool,
        hasSignal: Bool = false
    ) -> AsyncStream<Cause.Kind> {
        // A pending element makes the reader poll anyway, so the newest may be dropped.
        let (changes, notify) = AsyncStream.makeStream(of: Cause.Kind.self, bufferingPolicy: .bufferingOldest(64))
        let observer = isOnSysfs ? devices?.observe(to: device, files: files) { notify.yield($0) } : nil
        // For changes before the first event.
        notify.yield(.external)
        let polling = polling(isOnSysfs: isOnSysfs, pollsWithoutViewers: hasSignal) { notify.yield(.external) }
        notify.onTermination = { [devices] _ in
            polling.end()
            if let observer { devices?.forget(observer) }
        }
        return changes
    }

    /// One element at the start, and whenever devices may have come or gone in these subsystems. Ends with the task
    /// that reads it.
    func arrivals(in subsystems: Set<String>, isOnSysfs: Bool) -> AsyncStream<Void> {
        let (arrivals, signal) = WakeSignal.makeStream()
        // Before the first element: a device may come while its reader looks.
        let reports = isOnSysfs ? devices?.arrivals(in: subsystems) : nil
        signal.send()
        let listening = reports.map { reports in Task { for await _ in reports { signal.send() } } }
        let polling = polling(isOnSysfs: isOnSysfs) { signal.send() }
        signal.onTermination {
            listening?.cancel()
            polling.end()
        }
        return arrivals
    }

    /// Calls `notify` once a second, always or while a client watches, until it is ended.
    ///
    /// - Parameter pollsWithoutViewers: Whether to call it also without a watching client, at the slow interval.
    private func polling(
        isOnSysfs: Bool,
        pollsWithoutViewers: Bool = false,
        notify: @escaping @Sendable () -> Void
    ) -> SubscriptionGroup {
        let fast = Subscription(isOnSysfs ? .whileWatched : .lifetime) { [clock] in
            // A new viewer gets the current state.
            if isOnSysfs { notify() }
            while (try? await clock.sleep(for: Self.pollInterval)) != nil { notify() }
        }
        let slow = Subscription(.lifetime) { [clock] in
            while (try? await clock.sleep(for: Self.slowInterval)) != nil { notify() }
        }
        return SubscriptionGroup(source, pollsWithoutViewers ? [fast, slow] : [fast])
    }
}
