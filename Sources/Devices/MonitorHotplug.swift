// SPDX-License-Identifier: Apache-2.0
package import BrightnessCore

/// Opens monitors that were asleep at the start when they wake: their range is unknown until then.
///
/// The kernel reports whether a monitor is awake; a sleeping one is not accessed.
package struct MonitorHotplug: Sendable {
    /// The time between two checks.
    static let checkInterval: Duration = .seconds(5)
    /// The longest pause after an awake monitor did not respond.
    private static let longestPause: Duration = .seconds(60)

    let monitors: MonitorSource
    let minimum: Brightness
    var sleeping: [DDCHelper.Found]
    /// The simulated display that `auto` serves without any real one.
    let standIn: DisplayID?
    private var pause = Self.checkInterval

    init(_ sleeping: [DDCHelper.Found], from monitors: MonitorSource, minimum: Brightness, standIn: DisplayID?) {
        self.sleeping = sleeping
        self.monitors = monitors
        self.minimum = minimum
        self.standIn = standIn
    }

    /// Opens the monitors that are awake now. May block for seconds.
    ///
    /// - Parameter admit: Adds a display for a monitor. Returns `false` to open it again later.
    mutating func search(admit: (DisplayService.PanelRegistration) -> Bool) -> OpenedDisplays {
        var opened = OpenedDisplays()
        var hasFailures = false
        for monitor in sleeping {
            do throws(DeviceError) {
                let registration = try monitors.open(monitor, minimum: minimum)
                guard admit(registration) else {
                    hasFailures = true
                    continue
                }
                opened.registrations.append(registration)
                sleeping.removeAll { $0.id == monitor.id }
                opened.replaced = standIn
            } catch .asleep {
                continue
            } catch {
                // Some monitors do not respond for a while after waking.
                hasFailures = true
            }
        }
        pause = hasFailures ? min(pause * 2, Self.longestPause) : Self.checkInterval
        return opened
    }

    /// The displays that `admit` added, as they wake. Ends after the last monitor, and with the task that reads it.
    ///
    /// - Parameter admit: See `search`.
    package func arrivals(
        on clock: any Clock<Duration> = ContinuousClock(),
        admit: @escaping @Sendable (DisplayService.PanelRegistration) -> Bool
    ) -> AsyncStream<OpenedDisplays> {
        let (arrivals, continuation) = AsyncStream.makeStream(of: OpenedDisplays.self)
        // The library may hang, which must not block a thread of tasks.
        let queue = SerialQueue("monitors")
        let searching = Task {
            var hotplug = self
            while !hotplug.sleeping.isEmpty, (try? await clock.sleep(for: hotplug.pause)) != nil {
                let (next, opened) = await withCheckedContinuation { continuation in
                    queue.enqueue { [hotplug] in
                        var hotplug = hotplug
                        let opened = hotplug.search(admit: admit)
                        continuation.resume(returning: (hotplug, opened))
                    }
                }
                hotplug = next
                if !opened.registrations.isEmpty { continuation.yield(opened) }
            }
            continuation.finish()
        }
        continuation.onTermination = { _ in searching.cancel() }
        return arrivals
    }
}
