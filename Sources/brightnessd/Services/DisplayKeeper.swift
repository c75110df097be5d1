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
            for seat in opened.seats { group.addTask { await watch(seat) } }
            for arrivals in [opened.finder?.arrivals, opened.monitorFinder?.arrivals()].compactMap(\.self) {
                group.addTask {
                    await withDiscardingTaskGroup { group in
                        for await new in arrivals {
                            for seat in admit(new) { group.addTask { await watch(seat) } }
                        }
                    }
                }
            }
        }
    }

    private func watch(_ seat: DisplayService.Seat) async {
        await service.watch(seat.panel, now: MachineClock.moment)
    }

    /// Returns those that can be watched. One that is gone again when it is looked at is not.
    private func admit(_ new: OpenedDisplays) -> [DisplayService.Seat] {
        for note in new.notes { logger.log(level: note.isWarning ? .warning : .notice, "\(note)") }
        let admitted = new.seats.filter { seat in
            do throws(DeviceError) {
                try service.add(seat, at: MachineClock.moment())
                logger.notice("\(seat.panel.id) is here now")
                return true
            } catch {
                logger.warning("cannot use \(seat.panel.id): \(error.logText)")
                return false
            }
        }
        if let standIn = new.replaced, !admitted.isEmpty { retire(standIn) }
        return admitted
    }

    /// Its leases are released first, so that a later start does not go on with them.
    private func retire(_ standIn: DisplayID) {
        let release = Command(.restoreAll, by: "brightnessd", reason: "replaced", transition: .zero)
        service.submit(release, to: standIn, at: MachineClock.moment()) { _ in service.withdraw(own: standIn) }
    }
}
