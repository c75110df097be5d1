// SPDX-License-Identifier: Apache-2.0
package import BrightnessCore

/// Opens monitors that slept when the daemon began, when they are awake: until then nobody knows their range.
///
/// The kernel is asked whether one is awake, and one that sleeps is left alone.
package struct MonitorFinder: Sendable {
    /// How often the kernel is asked.
    static let lookInterval: Duration = .seconds(5)
    /// How long one that is awake and does not answer is left alone at most.
    private static let longestPause: Duration = .seconds(60)

    let monitors: MonitorSource
    let minimum: Brightness
    var sleeping: [DDCHelper.Found]
    /// The simulated display that `auto` took for want of any.
    let standIn: DisplayID?
    private var pause = Self.lookInterval

    init(_ sleeping: [DDCHelper.Found], from monitors: MonitorSource, minimum: Brightness, standIn: DisplayID?) {
        self.sleeping = sleeping
        self.monitors = monitors
        self.minimum = minimum
        self.standIn = standIn
    }

    /// Those that are awake now. May block for seconds.
    ///
    /// - Parameter admit: Makes a display of a monitor. One that it refuses is opened again.
    package mutating func look(admit: (DisplayService.Seat) -> Bool) -> OpenedDisplays {
        var opened = OpenedDisplays()
        var isTroubled = false
        for monitor in sleeping {
            do throws(DeviceError) {
                let seat = try monitors.open(monitor, minimum: minimum)
                guard admit(seat) else {
                    isTroubled = true
                    continue
                }
                opened.seats.append(seat)
                sleeping.removeAll { $0.id == monitor.id }
                opened.replaced = standIn
            } catch .asleep {
                continue
            } catch {
                // Once awake, some do not answer for a while.
                isTroubled = true
            }
        }
        pause = isTroubled ? min(pause * 2, Self.longestPause) : Self.lookInterval
        return opened
    }

    /// The displays that `admit` made, as they come. Ends when there is no monitor left to wait for, and with the task that
    /// reads it.
    ///
    /// - Parameter admit: See `look`.
    package func arrivals(
        on clock: any Clock<Duration> = ContinuousClock(),
        admit: @escaping @Sendable (DisplayService.Seat) -> Bool
    ) -> AsyncStream<OpenedDisplays> {
        let (arrivals, tell) = AsyncStream.makeStream(of: OpenedDisplays.self)
        // The library may hang, and no thread of tasks with it.
        let queue = SerialQueue("monitors")
        let looking = Task {
            var finder = self
            while !finder.sleeping.isEmpty, (try? await clock.sleep(for: finder.pause)) != nil {
                let (next, opened) = await withCheckedContinuation { continuation in
                    queue.enqueue { [finder] in
                        var finder = finder
                        let opened = finder.look(admit: admit)
                        continuation.resume(returning: (finder, opened))
                    }
                }
                finder = next
                if !opened.seats.isEmpty { tell.yield(opened) }
            }
            tell.finish()
        }
        tell.onTermination = { _ in looking.cancel() }
        return arrivals
    }
}
