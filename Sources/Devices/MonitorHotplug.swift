// SPDX-License-Identifier: Apache-2.0
package import BrightnessCore

/// Finds monitors that are plugged in while the daemon runs, and opens those that were asleep or did not answer: their
/// range is unknown until then.
///
/// - The kernel reports that a connector has changed. The buses are searched after each report, and 5, 15 and 30 s
///   after it while the monitor at a connector does not answer. Without a report only `DDCHelper` searches, for a
///   monitor that it knows.
/// - A search that failed is repeated, with growing pauses, and so is the opening of a monitor that failed.
/// - A monitor with a display is not found again. Its display stays, with its settings and its baseline, and is read
///   after each search.
/// - The kernel reports whether a monitor is awake; a sleeping one is not accessed.
package struct MonitorHotplug: Sendable {
    /// The time between two checks.
    static let checkInterval: Duration = .seconds(5)
    /// The longest pause after an awake monitor did not respond.
    private static let longestPause: Duration = .seconds(60)
    /// The pauses before the further searches after a report.
    static let furtherSearches: [Duration] = [.seconds(5), .seconds(10), .seconds(15)]
    /// How long a bus needs after its monitor was plugged in. Further reports in that time count as one.
    static let settling: Duration = .seconds(2)

    let monitors: MonitorSource
    let minimum: Brightness
    /// The kernel's reports of connectors since before the first search; `nil` for none.
    let reports: AsyncStream<Void>?
    /// Whether new monitors get a display, as with `auto`.
    let isAuto: Bool
    /// The monitors that are opened once they can be read.
    var waiting: [DDCHelper.Found]
    /// The monitors with a display.
    var open: Set<DisplayID>
    /// The ids of other displays, and of those that `auto` ignores.
    var taken: Set<DisplayID>
    /// The simulated display that `auto` serves without any real one.
    let standIn: DisplayID?
    var needsSearch: Bool
    /// The pauses before the further searches.
    var furtherPauses: ArraySlice<Duration>
    var pause = Self.checkInterval

    /// Whether there is something to do without a report of the kernel.
    var isWaiting: Bool { !waiting.isEmpty || needsSearch || !furtherPauses.isEmpty }

    /// Opens the monitors that are awake now. May block for seconds.
    ///
    /// - Parameters:
    ///   - isReported: Whether the kernel has reported a connector: then the buses are searched first.
    ///   - admit: Adds a display for a monitor. Returns `false` to open it again later.
    mutating func search(
        afterReport isReported: Bool = false,
        admit: (DisplayService.PanelRegistration) -> Bool
    ) -> OpenedDisplays {
        var opened = OpenedDisplays()
        if isReported {
            (needsSearch, furtherPauses) = (true, Self.furtherSearches[...])
        } else if furtherPauses.popFirst() != nil {
            needsSearch = true
        }
        if needsSearch { detect(&opened) }
        var hasFailures = needsSearch
        for monitor in waiting {
            do throws(DeviceError) {
                let registration = try monitors.open(monitor, minimum: minimum)
                guard admit(registration) else {
                    hasFailures = true
                    continue
                }
                opened.registrations.append(registration)
                waiting.removeAll { $0.id == monitor.id }
                open.insert(monitor.id)
                opened.replaced = standIn
            } catch .asleep {
                continue
            } catch .absent where isAuto {
                // Unplugged again. The next search finds it.
                waiting.removeAll { $0.id == monitor.id }
            } catch {
                // Some monitors do not respond for a while after waking.
                hasFailures = true
            }
        }
        pause = hasFailures ? min(pause * 2, Self.longestPause) : Self.checkInterval
        return opened
    }

    /// Searches the buses, which also makes known where each monitor is now.
    private mutating func detect(_ opened: inout OpenedDisplays) {
        do throws(MonitorProblem) {
            let search = try monitors.search()
            needsSearch = false
            if search.isComplete == true || (!isAuto && waiting.isEmpty) { furtherPauses = [] }
            opened.changed = open
            guard isAuto else { return }
            for monitor in search.found where !open.contains(monitor.id) && !taken.contains(monitor.id) {
                if !waiting.contains(where: { $0.id == monitor.id }) { waiting.append(monitor) }
            }
        } catch {
            // Without a bus or a helper, the next report is awaited.
            needsSearch = error.isTransient
        }
    }

    private enum Occasion {
        case pauseOver, report
    }

    /// The displays that `admit` added, as they are plugged in or wake. Ends with the task that reads it, and without
    /// reports of the kernel after the last waiting monitor.
    ///
    /// - Parameter admit: See `search`.
    package func arrivals(
        on clock: any Clock<Duration> = ContinuousClock(),
        admit: @escaping @Sendable (DisplayService.PanelRegistration) -> Bool
    ) -> AsyncStream<OpenedDisplays> {
        let (arrivals, continuation) = AsyncStream.makeStream(of: OpenedDisplays.self)
        // Holds a report and the end of a pause. A further report replaces the older, and stands for it.
        let (occasions, reporter) = AsyncStream.makeStream(of: Occasion.self, bufferingPolicy: .bufferingNewest(2))
        let listening = reports.map { reports in
            Task { for await _ in reports { reporter.yield(.report) } }
        }
        // The library may hang, which must not block a thread of tasks.
        let queue = SerialQueue("monitors")
        let searching = Task {
            var hotplug = self
            var timer = hotplug.timer(on: clock) { reporter.yield(.pauseOver) }
            for await occasion in occasions {
                timer?.cancel()
                if occasion == .report, (try? await clock.sleep(for: Self.settling)) == nil { break }
                let (next, opened) = await withCheckedContinuation { continuation in
                    queue.enqueue { [hotplug] in
                        var hotplug = hotplug
                        let opened = hotplug.search(afterReport: occasion == .report, admit: admit)
                        continuation.resume(returning: (hotplug, opened))
                    }
                }
                hotplug = next
                if !opened.registrations.isEmpty || !opened.changed.isEmpty { continuation.yield(opened) }
                if !hotplug.isWaiting, reports == nil { break }
                timer = hotplug.timer(on: clock) { reporter.yield(.pauseOver) }
            }
            timer?.cancel()
            continuation.finish()
        }
        continuation.onTermination = { _ in
            listening?.cancel()
            searching.cancel()
        }
        return arrivals
    }

    /// Calls `ring` after the pause; `nil` if there is nothing to do.
    private func timer(on clock: any Clock<Duration>, ring: @escaping @Sendable () -> Void) -> Task<Void, Never>? {
        guard isWaiting else { return nil }
        return Task { [pause = furtherPauses.first ?? pause] in
            if (try? await clock.sleep(for: pause)) != nil { ring() }
        }
    }
}
