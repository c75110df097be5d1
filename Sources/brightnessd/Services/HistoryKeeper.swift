// SPDX-License-Identifier: Apache-2.0
import Journal
import ServiceLifecycle

/// Records what the displays show; at the end, that nobody knows it any more.
struct HistoryKeeper: Service {
    let history: HistoryRecorder

    func run() async throws {
        await cancelWhenGracefulShutdown { await history.keepTime() }
        await withCheckedContinuation { continuation in history.end { continuation.resume() } }
    }
}
