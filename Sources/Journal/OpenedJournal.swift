// SPDX-License-Identifier: Apache-2.0
package import BrightnessCore

/// The journal a daemon runs with, and what an earlier run left in it.
package struct OpenedJournal: Sendable {
    /// `nil` for memory only.
    package let writer: JournalWriter?
    /// `nil` if there may be something that could not be read.
    package let earlier: [DisplayID: EarlierRecord]?
    /// Where the history is kept: with the records, or without a file in memory until the daemon ends.
    package let history: JournalWriter

    /// Opens the journal in a directory, or begins one; `nil` is memory only. Blocks for a few milliseconds, or for a second
    /// while another program holds the file.
    ///
    /// A directory or file that cannot be written keeps no daemon from running, and from going on with what can be read:
    /// the reason is posted, and the file is written when that is possible.
    /// - Throws: Only when another daemon holds the directory.
    package init(
        at path: String?,
        _ clock: BootClock = .ofThisMachine(),
        on queue: any JobQueue,
        disk: any JournalDisk = SystemDisk(),
        poster: NotificationPoster,
        now: @escaping @Sendable () -> Moment
    ) throws(StateDirectory.Failure) {
        guard let path else {
            (writer, earlier) = (nil, [:])
            // Nobody is told of its health: it keeps no record.
            let hub = NotificationHub()
            history = JournalWriter(JournalStore(inMemory: clock), on: queue, poster: hub.poster, now: now)
            return
        }
        let file = JournalFile(directory: path, clock: clock, disk: disk)
        let store = try JournalStore(in: file, at: now())
        earlier = store.earlier
        history = JournalWriter(store, on: queue, poster: poster, now: now)
        writer = history
    }
}
