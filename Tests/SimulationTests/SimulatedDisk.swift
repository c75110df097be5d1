// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import CSQLite
import TestSupport

@testable import Journal

/// The journal's disk and its faults. Outlives the daemons.
struct SimulatedDisk {
    /// The faults that keep the journal from writing, but not from reading.
    enum Trouble: CaseIterable {
        case full, readOnly, read, written, brokenLocks, brokenWrites
    }

    let files = ScriptedDisk()
    private(set) var trouble: Trouble?
    /// The size of the partition in bytes. Only the journal uses it.
    private let size: Int

    /// The content of a journal without records.
    private static let emptyJournal: [String: [UInt8]] = {
        let disk = ScriptedDisk()
        let clock = BootClock(boot: "", origin: Moment.start.instant)
        let database = try? JournalDatabase(in: JournalFile(directory: "/state", clock: clock, disk: disk), at: .start)
        database?.close(at: .start)
        return disk.contents
    }()

    init(_ random: inout SplitMix) {
        let isSmall = random.chance(40)
        // Room for the largest transaction and little more: a log that only grows fills it within a few commands.
        let isTiny = isSmall && random.chance(50)
        let room = (isTiny ? random.number(64...128) : random.number(192...512)) << 10
        size = isSmall ? room + (isTiny ? Self.emptyJournal.values.reduce(0) { $0 + $1.count } : 0) : .max
        if isTiny || random.chance(90) { files.contents = Self.emptyJournal }
        files.capacity = size
    }

    var words: String { size == .max ? "a disk" : "a disk of \(size >> 10) KiB" }

    mutating func begin(_ trouble: Trouble) {
        end()
        self.trouble = trouble
        switch trouble {
        case .full: files.fill()
        case .readOnly: files.isReadOnly = true
        case .read: files.otherProgram = .reads
        case .written: files.otherProgram = .writes
        case .brokenLocks, .brokenWrites: break
        }
    }

    mutating func end() {
        trouble = nil
        (files.capacity, files.isReadOnly, files.otherProgram) = (size, false, .none)
    }

    /// The daemon that uses the disk from now on: each of its writes is an effect.
    func serve(_ daemon: Daemon) {
        let trouble = trouble
        files.fault = { [weak daemon] operation, _ in
            switch (operation, trouble) {
            case (.lock, .brokenLocks), (.write, .brokenWrites): SQLITE_IOERR
            case (.write, _): daemon?.effect() == false ? SQLITE_IOERR : nil
            default: nil
            }
        }
    }
}
