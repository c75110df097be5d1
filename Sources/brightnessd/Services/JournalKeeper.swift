// SPDX-License-Identifier: Apache-2.0
import Journal
import ServiceLifecycle

/// Holds the journal and writes in time what waits; at the end, all of it.
struct JournalKeeper: Service {
    let journal: OpenedJournal

    func run() async throws {
        guard let writer = journal.writer else { return try await gracefulShutdown() }
        await cancelWhenGracefulShutdown { await writer.keepTime() }
        await withCheckedContinuation { continuation in writer.end { continuation.resume() } }
    }
}
