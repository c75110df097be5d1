// SPDX-License-Identifier: Apache-2.0
package import BrightnessCore
import Support

/// Finds backlights that appear while the daemon runs. `auto` uses those of the best type that is present.
///
/// - A backlight with a display is not found again: the display notices its return.
/// - When the last backlight of the type in use is gone, the others count: a laptop's driver replaces that of its
///   firmware.
/// - A backlight that cannot be used yet is retried after 1, 2, 4 … 30 s.
/// - The kernel's event arrives before udev grants permissions. A backlight without them gets its display with the
///   third retry.
package struct BacklightHotplug: Sendable {
    static let nameOfSingle = "Built-in display"
    private static let longestPause: Duration = .seconds(30)
    /// The number of searches that leave out a backlight without permissions.
    private static let permissionSearches = 3

    let root: String
    let minimum: Brightness
    let watch: PanelWatch
    /// The displays that `auto` ignores.
    let excluded: Set<DisplayID>
    /// The types of the backlights that `auto` has opened.
    var open: [KernelName: BacklightType]
    /// The backlights that another selection has opened.
    var selected: Set<KernelName> = []
    /// The backlights that were passed over in favour of a better type.
    var passedOver: Set<KernelName>
    /// The ids of other displays.
    var taken: Set<DisplayID>
    /// The backlights of earlier runs, and the address of each.
    var earlier: [DisplayID: String] = [:]
    /// The simulated display served without any real one.
    var standIn: DisplayID?
    /// Whether the last search could not find or use some backlights yet.
    package private(set) var needsRetry = false
    /// The number of searches that found these backlights without permissions.
    private(set) var deniedSearches: [KernelName: Int] = [:]

    /// Opens the backlights that appeared since the last search; reads each once, which may block.
    ///
    /// - Parameter admit: Adds a display for a panel. Returns `false` if the panel is gone again; it is then found
    ///   again.
    package mutating func search(admit: (DisplayService.PanelRegistration) -> Bool) -> OpenedDisplays {
        var opened = OpenedDisplays()
        // Also if the directory cannot be listed.
        needsRetry = true
        guard let present = try? Set(SysfsDirectory(path: SysfsBacklight.directory(under: root)).devices) else {
            return opened
        }
        var best = open.filter { present.contains($0.key) }.map(\.value).min()
        // Without any of the type in use, those that were passed over for it count again.
        if best == nil { passedOver = [] }
        guard
            let found = try? BacklightDiscovery(
                root: root,
                skipping: passedOver.union(selected).union(open.keys),
                excluding: excluded,
                taken: taken,
                after: earlier
            )
        else { return opened }
        needsRetry = !found.skipped.isEmpty
        deniedSearches = deniedSearches.filter { present.contains($0.key) }
        // The type of a better backlight that waits for its permissions: no worse one takes its place.
        var awaited: BacklightType?
        let isSingle = best == nil && selected.isEmpty && found.backlights.count == 1
        // The best type first: the first backlight that is admitted decides the type of all.
        for backlight in found.backlights {
            if let best, backlight.type != best {
                passedOver.insert(backlight.device)
                opened.notices.append(.passedOver(backlight, for: best))
                continue
            }
            if let awaited, backlight.type != awaited { break }
            guard let panel = panel(for: backlight, isSingle: isSingle) else {
                needsRetry = true
                continue
            }
            if panel.lacksPermission, deniedSearches[backlight.device, default: 0] < Self.permissionSearches {
                deniedSearches[backlight.device, default: 0] += 1
                (awaited, needsRetry) = (backlight.type, true)
                continue
            }
            let registration = DisplayService.PanelRegistration(panel, comesAndGoes: true)
            guard admit(registration) else {
                needsRetry = true
                continue
            }
            if let refusal = panel.writeRefusal { opened.notices.append(.unwritable(backlight.id, refusal)) }
            open[backlight.device] = backlight.type
            taken.insert(backlight.id)
            best = backlight.type
            opened.registrations.append(registration)
            opened.replaced = opened.replaced ?? standIn
            standIn = nil
        }
        return opened
    }

    private func panel(for backlight: BacklightDiscovery.Backlight, isSingle: Bool) -> SysfsBacklight? {
        try? SysfsBacklight(
            backlight.id,
            device: backlight.device,
            root: root,
            name: isSingle ? BacklightHotplug.nameOfSingle : nil,
            minimum: minimum,
            watch: watch
        )
    }

    /// The displays that `admit` added, as they appear, and notices. Ends with the task that reads it.
    ///
    /// - Parameters:
    ///   - clock: Measures the pauses between retries.
    ///   - admit: See `search`.
    package func arrivals(
        on clock: any Clock<Duration> = ContinuousClock(),
        admit: @escaping @Sendable (DisplayService.PanelRegistration) -> Bool
    ) -> AsyncStream<OpenedDisplays> {
        let (arrivals, continuation) = AsyncStream.makeStream(of: OpenedDisplays.self)
        let (occasions, occasion) = WakeSignal.makeStream()
        let isOnSysfs = SysfsAttribute(path: root).isOnSysfs
        let listening = Task {
            for await _ in watch.arrivals(in: ["backlight"], isOnSysfs: isOnSysfs) { occasion.send() }
        }
        let searching = Task {
            var hotplug = self
            var pause: Duration = .seconds(1)
            var retry: Task<Void, Never>?
            for await _ in occasions {
                retry?.cancel()
                let opened = hotplug.search(admit: admit)
                if !opened.registrations.isEmpty || !opened.notices.isEmpty { continuation.yield(opened) }
                guard hotplug.needsRetry else {
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
        continuation.onTermination = { _ in
            listening.cancel()
            searching.cancel()
        }
        return arrivals
    }
}
