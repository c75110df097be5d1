// SPDX-License-Identifier: Apache-2.0
package import BrightnessCore
import Conflation

/// How panels learn that somebody may have set them, besides being looked at before each command; and how devices that come
/// are found.
///
/// - By what the kernel says, at once.
/// - By looking once a second while somebody watches the displays, since there is what the kernel does not tell: LEDs that
///   firmware changes, and drivers that switch a panel off and on by themselves.
/// - Outside of sysfs, where nobody says anything, by looking once a second always.
package struct PanelWatch: Sendable {
    static let lookInterval: Duration = .seconds(1)

    private let devices: DeviceWatch?
    private let source: NotificationSource
    private let clock: any Clock<Duration>

    /// - Parameters:
    ///   - devices: What hears the kernel; `nil` for nobody.
    ///   - source: Reports whether somebody watches. By default nobody ever does.
    package init(
        _ devices: DeviceWatch? = nil,
        source: NotificationSource = NotificationHub().source,
        clock: any Clock<Duration> = ContinuousClock()
    ) {
        self.devices = devices
        self.source = source
        self.clock = clock
    }

    /// What `Panel.changes` promises. Ends with the task that reads it.
    ///
    /// - Parameter isOnSysfs: Whether the kernel says what happens to the device.
    func changes(of device: KernelDevice, signs: [DeviceSign], isOnSysfs: Bool) -> AsyncStream<Cause.Kind> {
        // One that has to wait still means "look" later, so it is the newest that may be dropped.
        let (changes, tell) = AsyncStream.makeStream(of: Cause.Kind.self, bufferingPolicy: .bufferingOldest(64))
        let ear = isOnSysfs ? devices?.listen(to: device, signs: signs) { tell.yield($0) } : nil
        // What happened before anybody listened.
        tell.yield(.external)
        let polling = polling(isOnSysfs: isOnSysfs) { tell.yield(.external) }
        tell.onTermination = { [devices] _ in
            polling.end()
            if let ear { devices?.forget(ear) }
        }
        return changes
    }

    /// One element at first, and whenever there may be other devices than before in these subsystems. Ends with the task that
    /// reads it.
    func arrivals(in subsystems: Set<String>, isOnSysfs: Bool) -> AsyncStream<Void> {
        let (arrivals, signal) = Signal.makeStream()
        signal.send()
        let hearing = Task {
            guard isOnSysfs, let devices else { return }
            for await _ in devices.arrivals(in: subsystems) { signal.send() }
        }
        let polling = polling(isOnSysfs: isOnSysfs) { signal.send() }
        signal.onTermination {
            hearing.cancel()
            polling.end()
        }
        return arrivals
    }

    /// Calls `look` once a second, from the beginning or while somebody watches, until it is ended.
    private func polling(isOnSysfs: Bool, look: @escaping @Sendable () -> Void) -> SubscriptionGroup {
        SubscriptionGroup(
            source,
            [
                Subscription(isOnSysfs ? .visible : .lifetime) { [clock] in
                    // A viewer that comes sees the current state.
                    if isOnSysfs { look() }
                    while (try? await clock.sleep(for: Self.lookInterval)) != nil { look() }
                }
            ]
        )
    }
}
