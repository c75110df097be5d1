// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import Devices
import Synchronization

/// Runs the displays' deadlines and automatic brightness, watches panels, and adds and removes displays on hot-plug.
/// The stand-in is the simulated display that `auto` serves while there is no other one.
struct DisplayUpkeepTask: BackgroundTask {
    /// The time between two looks for displays whose providers are gone for long.
    private static let abandonedInterval: Duration = .seconds(3_600)

    let displays: DisplayService
    let opened: OpenedDisplays
    let provided: ProvidedPanels
    let source: NotificationSource
    let logger: Logger
    private let refusals = Refusals()
    private let added = AsyncStream.makeStream(of: (any Panel).self)

    func run() async {
        let subscriptions = SubscriptionGroup(
            source,
            Subscription(to: NotificationFilter([.clockSet])) { _ in
                displays.clockWasSet(at: MachineClock.moment())
            },
            Subscription(to: NotificationFilter([.display])) { notification in
                if case .display(_, .removed, _) = notification { restoreStandIn(at: MachineClock.moment()) }
            }
        )
        defer { subscriptions.end() }
        await withDiscardingTaskGroup { group in
            group.addTask { await displays.runDeadlines(on: MachineClock(), now: MachineClock.moment) }
            group.addTask { await displays.followLight(now: MachineClock.moment) }
            for panel in opened.registrations.map(\.panel) { group.addTask { await watchOpened(panel) } }
            group.addTask { await watchAdded() }
            group.addTask { await watchProvided() }
            group.addTask {
                while (try? await Task.sleep(for: Self.abandonedInterval)) != nil {
                    provided.removeAbandoned(at: MachineClock.moment())
                }
            }
            let arrivals = [
                opened.backlightHotplug?.arrivals(admit: add), opened.monitorHotplug?.arrivals(admit: add),
            ]
            for arrivals in arrivals.compactMap(\.self) {
                group.addTask { for await new in arrivals { welcome(new, at: MachineClock.moment()) } }
            }
        }
    }

    private func watchOpened(_ panel: any Panel) async {
        // The stand-in may be withdrawn and come back.
        repeat { await displays.watch(panel, now: MachineClock.moment) } while panel.id == opened.standIn
    }

    private func watchAdded() async {
        await withDiscardingTaskGroup { group in
            for await panel in added.stream { group.addTask { await displays.watch(panel, now: MachineClock.moment) } }
        }
    }

    private func watchProvided() async {
        await withDiscardingTaskGroup { group in
            for await panel in provided.arrivals {
                logger.notice("\(panel.id) is a display that \(panel.principal?.text ?? "a client") provides")
                retire(standIn: opened.standIn, at: MachineClock.moment())
                group.addTask { await displays.watch(panel, now: MachineClock.moment) }
            }
        }
    }

    /// Retires the stand-in, but not a client's display that has its id.
    private func retire(standIn id: DisplayID?, at now: Moment) {
        guard let id, displays.state(of: id)?.kind == .simulated else { return }
        displays.retire(own: id, because: "replaced", at: now)
    }

    /// Serves the stand-in again once the last display that a client provided is gone, unless the machine has
    /// one, which may be unplugged.
    func restoreStandIn(at now: Moment) {
        guard let standIn = opened.registrations.first(where: { $0.panel.id == opened.standIn }),
            displays.ownIDs.isEmpty, (try? displays.add(standIn, at: now)) != nil
        else { return }
        logger.notice("no client provides a display; serving a simulated display")
        // Another display may have arrived in between.
        if displays.ownIDs.count > 1 { retire(standIn: opened.standIn, at: now) }
    }

    /// Adds the display of a new panel, or of the pair that it completes. Returns `false` if that failed: the panel may
    /// be gone again.
    @Sendable func add(_ registration: DisplayService.PanelRegistration) -> Bool {
        let id = registration.panel.id
        do throws(DeviceError) {
            if let served = opened.pairs.admit(registration) {
                try displays.add(served, at: MachineClock.moment())
                added.continuation.yield(served.panel)
            }
            provided.giveWay(to: id)
            refusals.end(id)
            logger.notice("\(id) was connected")
            return true
        } catch {
            opened.pairs.remove(id)
            if refusals.begin(id, error) { logger.warning("cannot use \(id): \(error.logText)") }
            return false
        }
    }

    /// Logs notices about new displays, removes the stand-in that they replace, and reads those that may have
    /// been unplugged.
    func welcome(_ new: OpenedDisplays, at now: Moment) {
        for note in new.notices { logger.log(level: note.isWarning ? .warning : .notice, "\(note)") }
        retire(standIn: new.replaced, at: now)
        for panel in new.changed {
            displays.submit(Command(.refresh()), to: opened.pairs.display(ofPlugged: panel), at: now) { _ in }
        }
    }
}

/// The panels that could not be added, and why: a condition that lasts is logged when it begins. Any thread.
private final class Refusals: Sendable {
    private let errors = Mutex<[DisplayID: DeviceError]>([:])

    /// Returns whether the panel was not refused for this reason before.
    func begin(_ id: DisplayID, _ error: DeviceError) -> Bool {
        errors.withLock { $0.updateValue(error, forKey: id) } != error
    }

    func end(_ id: DisplayID) { errors.withLock { $0[id] = nil } }
}
