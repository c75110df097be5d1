// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import Journal

/// A part of the daemon that runs until its task is cancelled or it has finished.
protocol BackgroundTask: Sendable {
    func run() async
}

extension JournalWriter: BackgroundTask {
    func run() async { await runDeadlines() }
}

extension HistoryRecorder: BackgroundTask {
    func run() async { await runDeadlines() }
}

extension HolderService: BackgroundTask {
    func run() async { await run(on: MachineClock()) }
}
