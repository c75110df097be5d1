// SPDX-License-Identifier: Apache-2.0
package import BrightnessCore
import Conflation

/// Finds the backlights that come while the daemon runs. `auto` takes those of the type it has already.
///
/// - One that a display was made of is not found again: its display sees by itself whether it is back.
/// - One that cannot be used yet is tried again, after 1, 2, 4 … 30 s.
package struct DisplayFinder: Sendable {
    /// What a lone backlight is called.
    static let nameOfLone = "Built-in display"
    private static let longestPause: Duration = .seconds(30)

    let root: String
    let minimum: Brightness
    let watch: PanelWatch
    /// What `auto` does not take.
    let excluded: Set<DisplayID>
    /// Those that are open already, or left out.
    var known: Set<KernelName>
    /// The ids that displays have.
    var taken: Set<DisplayID>
    /// Of what it took; `nil` while it took none.
    var best: BacklightType?
    /// The simulated display that it took for want of any.
    var standIn: DisplayID?
    /// Whether there are backlights that could not be used.
    private(set) var hasUnusable = false

    /// Those that came since the last look; reads each once, which may block.
    ///
    /// - Parameter admit: Makes a display of a panel. One that it refuses, since the panel is gone again, is found again.
    package mutating func look(admit: (DisplayService.Seat) -> Bool) -> OpenedDisplays {
        var opened = OpenedDisplays()
        // What cannot be listed now may be later.
        guard
            let found = try? BacklightDiscovery(root: root, skipping: known, excluding: excluded, taken: taken)
        else { return opened }
        hasUnusable = !found.skipped.isEmpty
        let isLone = standIn != nil && found.backlights.count == 1
        for backlight in found.backlights {
            if let best, backlight.type != best {
                known.insert(backlight.device)
                opened.notes.append(.passedOver(backlight, for: best))
                continue
            }
            guard let seat = seat(for: backlight, isLone: isLone), admit(seat) else {
                hasUnusable = true
                continue
            }
            known.insert(backlight.device)
            taken.insert(backlight.id)
            best = backlight.type
            opened.seats.append(seat)
            opened.replaced = opened.replaced ?? standIn
            standIn = nil
        }
        return opened
    }

    private func seat(for backlight: BacklightDiscovery.Backlight, isLone: Bool) -> DisplayService.Seat? {
        let panel = try? SysfsBacklight(
            backlight.id,
            device: backlight.device,
            root: root,
            name: isLone ? DisplayFinder.nameOfLone : nil,
            minimum: minimum,
            watch: watch
        )
        return panel.map { .coming($0) }
    }

    /// The displays that `admit` made, as they come, and notes. Ends with the task that reads it.
    ///
    /// - Parameters:
    ///   - clock: Measures the pauses before what cannot be used is tried again.
    ///   - admit: See `look`.
    package func arrivals(
        on clock: any Clock<Duration> = ContinuousClock(),
        admit: @escaping @Sendable (DisplayService.Seat) -> Bool
    ) -> AsyncStream<OpenedDisplays> {
        let (arrivals, tell) = AsyncStream.makeStream(of: OpenedDisplays.self)
        let (occasions, occasion) = Signal.makeStream()
        let isOnSysfs = SysfsAttribute(path: root).isOnSysfs
        let hearing = Task {
            for await _ in watch.arrivals(in: ["backlight"], isOnSysfs: isOnSysfs) { occasion.send() }
        }
        let looking = Task {
            var finder = self
            var pause: Duration = .seconds(1)
            var retry: Task<Void, Never>?
            for await _ in occasions {
                retry?.cancel()
                let opened = finder.look(admit: admit)
                if !opened.seats.isEmpty || !opened.notes.isEmpty { tell.yield(opened) }
                guard finder.hasUnusable else {
                    pause = .seconds(1)
                    continue
                }
                retry = Task { [pause] in
                    if (try? await clock.sleep(for: pause)) != nil { occasion.send() }
                }
                pause = min(pause * 2, Self.longestPause)
            }
            retry?.cancel()
        }
        tell.onTermination = { _ in
            hearing.cancel()
            looking.cancel()
        }
        return arrivals
    }
}

extension DisplayService.Seat {
    /// A backlight that `auto` took: it is told of while it is there.
    static func coming(_ panel: SysfsBacklight) -> Self {
        Self(panel, on: SerialQueue("panel.\(panel.id)"), comesAndGoes: true)
    }
}
