// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import Devices
import Logging
import ServiceLifecycle

/// Ends leases in time, lets displays follow the light and watches panels; at the end puts back what is boosted, and no
/// panel is left half-way.
struct DisplayKeeper: Service {
    let service: DisplayService
    /// What the daemon started with.
    let opened: OpenedDisplays
    let onExit: Settings.OnExit
    let logger: Logger

    /// What a panel that does not answer is left at the end. A monitor has a reason to be slow.
    private var patience: Duration { service.all.states.contains { $0.kind == .ddc } ? .seconds(10) : .seconds(2) }

    func run() async throws {
        await cancelWhenGracefulShutdown {
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
        switch onExit {
        case .restore: await end(by: Command(.restoreAll, by: "brightnessd", reason: "stopped", transition: .zero))
        case .keep: await end(by: Command(.tick, transition: .zero))
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

    private func end(by command: Command) async {
        // A panel that hangs must not hold up the exit, so nobody waits for the tasks themselves.
        let (restored, restoring) = AsyncStream.makeStream(of: DisplayID.self)
        // Those of other daemons are theirs to put back.
        let displays = service.displays.filter { service.state(of: $0)?.kind != .remote }
        for id in displays {
            service.submit(command, to: id, at: MachineClock.moment()) { _ in restoring.yield(id) }
        }
        let limit = Task {
            try await Task.sleep(for: patience)
            restoring.finish()
        }
        var waiting = Set(displays)
        for await id in restored {
            waiting.remove(id)
            if waiting.isEmpty { break }
        }
        limit.cancel()
        for id in waiting { logger.error("\(id) did not take its brightness back in time") }
    }
}
