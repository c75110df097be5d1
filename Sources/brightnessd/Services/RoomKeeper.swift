// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import Devices

/// Posts the simulated room, as long as a display is simulated.
struct RoomKeeper {
    let room: SimulatedRoom
    let hub: NotificationHub
    let service: DisplayService

    /// Until the task is cancelled.
    func run() async {
        await withDiscardingTaskGroup { group in
            group.addTask { await room.keepReporting(on: MachineClock()) }
            group.addTask { await endWithLastDisplay() }
        }
    }

    private var isSimulated: Bool { service.all.states.contains { $0.kind == .simulated } }

    private func endWithLastDisplay() async {
        var changes = hub.source.notifications(of: Interest([.display])).makeAsyncIterator()
        while isSimulated, await changes.next(isolation: nil) != nil {}
        if !isSimulated { room.end() }
    }
}
