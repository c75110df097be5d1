// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import Logging
import ServiceLifecycle

/// Ends leases in time, lets displays follow the light and watches panels; at the end puts back what is boosted, and no
/// panel is left half-way.
struct DisplayKeeper: Service {
    let service: DisplayService
    let seats: [DisplayService.Seat]
    let onExit: Settings.OnExit
    let logger: Logger

    /// What a panel that does not answer is left at the end.
    private static let patience: Duration = .seconds(2)

    func run() async throws {
        await cancelWhenGracefulShutdown {
            await withTaskGroup { group in
                group.addTask { await service.keepTime(on: MachineClock(), now: MachineClock.moment) }
                group.addTask { await service.followLight(now: MachineClock.moment) }
                for seat in seats { group.addTask { await service.watch(seat.panel, now: MachineClock.moment) } }
            }
        }
        switch onExit {
        case .restore: await end(by: Command(.restoreAll, by: "brightnessd", reason: "stopped", transition: .zero))
        case .keep: await end(by: Command(.tick, transition: .zero))
        }
    }

    private func end(by command: Command) async {
        // A panel that hangs must not hold up the exit, so nobody waits for the tasks themselves.
        let (restored, restoring) = AsyncStream.makeStream(of: DisplayID.self)
        for seat in seats {
            let id = seat.panel.id
            service.submit(command, to: id, at: MachineClock.moment()) { _ in restoring.yield(id) }
        }
        let limit = Task {
            try await Task.sleep(for: Self.patience)
            restoring.finish()
        }
        var waiting = Set(seats.map(\.panel.id))
        for await id in restored {
            waiting.remove(id)
            if waiting.isEmpty { break }
        }
        limit.cancel()
        for id in waiting { logger.error("\(id) did not take its brightness back in time") }
    }
}
