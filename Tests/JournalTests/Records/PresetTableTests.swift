// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import Glibc
import TestSupport
import Testing

@testable import Journal

@Suite struct PresetTableTests {
    private let file: JournalFile
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        file = JournalFile(directory: folder.path, clock: BootClock(boot: "boot", origin: Moment.start.instant))
    }

    private static let film = Preset(
        ResourceName("Film, spät")!,
        [
            Preset.Rule(PresetDisplays("DP-1")!, PresetValue(brightness: Brightness(clamping: 0.3), isOn: true)!),
            Preset.Rule(PresetDisplays("group:hall")!, PresetValue(brightness: nil, isOn: false)!),
            Preset.Rule(.all, PresetValue(brightness: Brightness(clamping: 1), isOn: nil)!),
        ]
    )!
    private static let day = Preset(
        ResourceName("day")!,
        [Preset.Rule(.all, PresetValue(brightness: nil, isOn: true)!)]
    )!

    /// Opens the file in a run of its own, and returns the presets that it finds.
    private func run(
        at now: Moment = .start,
        _ body: (JournalDatabase) -> Void = { _ in }
    ) throws -> [Preset] {
        let database = try JournalDatabase(in: file, at: now)
        let found = database.presets.present.sorted { $0.name < $1.name }
        body(database)
        database.close(at: now)
        return found
    }

    @Test func `every preset is read back unchanged, also one with other rules, and a removed one is gone`() throws {
        let first = try run { database in
            database.write(Self.day.name, preset: Self.film, at: .start)
            for preset in [Self.film, Self.day] { database.write(preset.name, preset: preset, at: .start) }
        }
        #expect(first.isEmpty)
        #expect(try run { $0.write(Self.film.name, preset: nil, at: .start) } == [Self.film, Self.day])
        #expect(try run() == [Self.day])
    }

    @Test func `presets are written to a file that replaces a removed one`() throws {
        let path = file.path
        _ = try run { database in
            database.write(Self.film.name, preset: Self.film, at: .start)
            for suffix in ["", "-wal", "-shm"] { unlink(path + suffix) }
            database.checkPlace(at: .after(.seconds(5)))
        }
        #expect(try run(at: .after(.seconds(8))) == [Self.film])
    }
}
