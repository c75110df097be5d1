// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import Devices
import Logging

/// Ends leases in time, lets displays follow the light and watches panels.
struct DisplayKeeper {
    let service: DisplayService
    /// What the daemon started with.
    let opened: OpenedDisplays
    let logger: Logger

    /// Until the task is cancelled.
    func run() async {
        await withDiscardingTaskGroup { group in
            group.addTask { await service.keepTime(on: MachineClock(), now: MachineClock.moment) }
            group.addTask { await service.followLight(now: MachineClock.moment) }
            group.addTask { for await _ in WallClockWatch.changes { service.clockWasSet(at: MachineClock.moment()) } }
            for seat in opened.seats { group.addTask { await watch(seat) } }
            let arrivals = [opened.finder?.arrivals(admit: admit), opened.monitorFinder?.arrivals(admit: admit)]
            for arrivals in arrivals.compactMap(\.self) {
                group.addTask {
                    await withDiscardingTaskGroup { group in
                        for await new in arrivals {
                            greet(new)
                            for seat in new.seats { group.addTask { await watch(seat) } }
                        }
                    }
                }
            }
        }
    }

    private func watch(_ seat: DisplayService.Seat) async {
        await service.watch(seat.panel, now: MachineClock.moment)
    }

    /// Makes a display of a panel that came. Returns whether that worked: the panel may be gone again.
    @Sendable private func admit(_ seat: DisplayService.Seat) -> Bool {
        do throws(DeviceError) {
            try service.add(seat, at: MachineClock.moment())
            logger.notice("\(seat.panel.id) is here now")
            return true
        } catch {
            logger.warning("cannot use \(seat.panel.id) yet: \(error.logText)")
            return false
        }
    }

    private func greet(_ new: OpenedDisplays) {
        for note in new.notes { logger.log(level: note.isWarning ? .warning : .notice, "\(note)") }
        if let standIn = new.replaced { retire(standIn) }
    }

    /// Its leases are released first, so that a later start does not go on with them.
    private func retire(_ standIn: DisplayID) {
        let release = Command(.restoreAll, by: "brightnessd", reason: "replaced", transition: .zero)
        service.submit(release, to: standIn, at: MachineClock.moment()) { _ in service.withdraw(own: standIn) }
    }
}
