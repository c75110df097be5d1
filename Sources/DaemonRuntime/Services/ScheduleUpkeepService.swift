// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import Devices

/// Begins and ends schedules in time.
struct ScheduleUpkeepService: Service {
    let schedules: ScheduleService

    func run() async { await schedules.run(on: MachineClock(), clockChanges: WallClockWatch.changes) }
}
