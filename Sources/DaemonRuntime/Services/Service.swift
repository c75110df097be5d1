// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import Journal

/// A part of the daemon that runs until its task is cancelled or it has finished.
protocol Service: Sendable {
    func run() async
}

extension JournalWriter: Service {
    func run() async { await runDeadlines() }
}

extension HistoryRecorder: Service {
    func run() async { await runDeadlines() }
}

extension HolderService: Service {
    func run() async { await run(on: MachineClock()) }
}
