// SPDX-License-Identifier: Apache-2.0
package import BrightnessCore

/// The journal a daemon runs with, and what an earlier run left in it.
package struct OpenedJournal: Sendable {
    /// `nil` for memory only.
    package private(set) var writer: JournalWriter?
    package private(set) var earlier: [DisplayID: EarlierRecord] = [:]
    /// Where the history is kept: with the records, or where there is no file, in memory until the daemon ends.
    package let history: JournalWriter
    /// Held as long as this is.
    private var directory: StateDirectory?

    /// Opens the journal in a directory, or begins one; `nil` is memory only. Blocks for a few milliseconds.
    ///
    /// A directory or file that cannot be used keeps no daemon from running: the reason is posted, and nothing is lost.
    /// - Throws: Only when another daemon holds the directory.
    package init(
        at path: String?,
        _ clock: BootClock = .ofThisMachine(),
        on queue: any JobQueue,
        poster: NotificationPoster,
        now: @escaping @Sendable () -> Moment
    ) throws(StateDirectory.Failure) {
        func inMemory() -> JournalWriter {
            // Nobody is told of its health: it keeps no record.
            JournalWriter(JournalStore(inMemory: clock), on: queue, poster: NotificationHub().poster, now: now)
        }
        guard let path, let directory = try Self.hold(path, poster) else {
            history = inMemory()
            return
        }
        self.directory = directory
        let file = JournalFile(directory: path, clock: clock)
        do throws(DatabaseError) {
            let opened = try file.open(at: now())
            earlier = opened.earlier
            history = JournalWriter(JournalStore(opened, in: file), on: queue, poster: poster, now: now)
            writer = history
        } catch {
            poster.post(.journal(.failing(error.description)))
            history = inMemory()
        }
    }

    private static func hold(
        _ path: String,
        _ poster: NotificationPoster
    ) throws(StateDirectory.Failure) -> StateDirectory? {
        do throws(StateDirectory.Failure) {
            return try StateDirectory(path)
        } catch {
            if case .inUse = error { throw error }
            poster.post(.journal(.failing(error.reason)))
            return nil
        }
    }
}
