// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import Glibc
import HTTPServer
import TestSupport
import Testing

@testable import DaemonRuntime

/// A complete daemon with a simulated display on a free port: the order of its start and stop.
@Suite struct DaemonTests {
    private let folder: TemporaryFolder
    private let log = LogRecorder()

    init() throws { folder = try TemporaryFolder() }

    private func daemon(_ given: [String: [String]] = [:]) throws -> Daemon {
        let common: [String: [String]] = [
            "listen": ["127.0.0.1:0"], "display": ["simulated"], "shards": ["1"], "state-directory": [folder.path],
            "sysfs-root": [folder.path],
        ]
        return try Daemon(
            Settings(common.merging(given) { $1 }),
            version: "1.2.3",
            since: Moment.start.wall,
            hangups: AsyncStream { $0.finish() },
            log.logger,
            sendToSystemd: { [log] state in
                log.logger.info("systemd: \(state)")
                return 1
            }
        )
    }

    @Test func `journal, displays and server are opened before readiness, and all ends in order`() throws {
        let daemon = try daemon()
        #expect(daemon.displays.displays.map(\.text) == ["simulated"])
        #expect(log.steps == ["state directory"])
        daemon.ready()
        let port = daemon.server.address.port
        #expect(log.all.contains("notice serving at http://127.0.0.1:\(port)"))
        daemon.stop()
        #expect(
            log.steps == [
                "state directory", "systemd: READY=1", "serving at", "systemd: STOPPING=1", "stopping", "stopped",
            ]
        )
        // A closed journal is one file without a log.
        #expect(access("\(folder.path)/journal.db", F_OK) == 0)
        #expect(access("\(folder.path)/journal.db-wal", F_OK) != 0)
    }

    private func reload(_ daemon: Daemon) {
        for case let task as ReloadTask in daemon.tasks { _ = task.configuration?.reload(at: .start) }
    }

    private static func named(_ name: String) -> String {
        #"{"version":1,"displays":[{"display":"simulated","name":"\#(name)"}]}"#
    }

    private func name(of daemon: Daemon) -> String? { daemon.displays.defaultState?.name }

    private func wait(for line: String) async { while let next = await log.next(), next != line {} }

    @Test func `a configuration file is applied once for each content, and later changes stay`() async throws {
        let file = try folder.write(Self.named("Lobby"), to: "configuration.json")
        let options = ["configuration": [file]]
        func rename(_ daemon: Daemon, _ name: String) async throws {
            let change = DisplaySettings.Change(name: DisplayName(name))
            let id = try #require(DisplayID("simulated"))
            _ = await daemon.displays.perform(Command(.configure(change)), on: id, at: .start)
        }
        let applied = "notice configuration: applied \(file)"
        let daemon = try daemon(options)
        await wait(for: applied)
        #expect(name(of: daemon) == "Lobby")
        try await rename(daemon, "Hall")
        reload(daemon)
        #expect(name(of: daemon) == "Hall")
        _ = try folder.write(Self.named("Door"), to: "configuration.json")
        reload(daemon)
        await wait(for: applied)
        #expect(name(of: daemon) == "Door")
        daemon.stop()
    }

    @Test func `a configuration file with a fault ends the start, and not a daemon that runs`() async throws {
        let file = try folder.write(Self.named("Lobby"), to: "configuration.json")
        let daemon = try daemon(["configuration": [file]])
        await wait(for: "notice configuration: applied \(file)")
        _ = try folder.write(Self.named(" Lobby"), to: "configuration.json")
        reload(daemon)
        #expect(name(of: daemon) == "Lobby")
        let fault = "\(file): /displays/0/name: name must not begin or end with a space, and must be valid text."
        #expect(log.all.contains("error configuration: \(fault) Keeping the current one"))
        daemon.stop()
        #expect(throws: Daemon.StartFailure.self) { try self.daemon(["configuration": [file]]) }
        #expect(log.all.contains("critical \(fault)"))
        let missing = "\(folder.path)/missing"
        #expect(throws: Daemon.StartFailure.self) { try self.daemon(["configuration": [missing]]) }
        #expect(log.all.last == "critical \(missing): No such file or directory.")
    }

    @Test func `tasks are started from the journal to the watchdog`() throws {
        let daemon = try daemon()
        let names = daemon.tasks.map { "\(type(of: $0))" }
        #expect(
            names == [
                "JournalWriter", "HistoryRecorder", "ClockTask", "DisplayUpkeepTask", "LightTask",
                "HolderService", "ReloadTask", "SystemdTask",
            ]
        )
        daemon.stop()
    }

    @Test func `a daemon that cannot lock the state directory opens no display and no port`() throws {
        let first = try daemon()
        #expect(throws: Daemon.StartFailure.self) {
            try daemon(["display": ["simulated:other"]])
        }
        let reasons = log.all.filter { $0.hasPrefix("critical") }
        #expect(reasons.count == 1)
        #expect(reasons.first?.hasPrefix("critical another brightnessd") == true)
        first.stop()
    }

    @Test func `token file, displays and address are tried in that order, and the first failure is logged`() throws {
        let wrong: [(String, String, String)] = [
            ("token-file", "/nowhere", "cannot use --token-file: it cannot be read: No such file or directory"),
            ("display", "backlight:none", "backlight:none"), ("listen", "192.0.2.1:1", "192.0.2.1"),
        ]
        for first in wrong.indices {
            var given: [String: [String]] = ["anonymous": ["read"]]
            for (option, value, _) in wrong[first...] { given[option] = [value] }
            let count = log.all.count
            #expect(throws: Daemon.StartFailure.self) { try daemon(given) }
            let reasons = log.all.dropFirst(count).filter { $0.hasPrefix("critical ") }
            #expect(reasons.count == 1)
            #expect(reasons.first?.contains(wrong[first].2) == true)
        }
    }

    @Test func `a default display that is not served may be a client's`() throws {
        _ = try daemon(["default-display": ["other"]])
        #expect(
            log.all.contains("warning --default-display other is not a served display, unless a client provides it")
        )
    }

    @Test func `without a state directory nothing is written`() throws {
        let daemon = try daemon(["state-directory": ["none"]])
        daemon.ready()
        daemon.stop()
        #expect(log.all.first == "info state directory: none; boosts are kept in memory only")
        #expect(access("\(folder.path)/journal.db", F_OK) != 0)
    }
}

extension LogRecorder {
    /// The log and the notifications to systemd, without the parts that differ between runs.
    fileprivate var steps: [String] {
        let known = ["state directory", "serving at", "systemd: READY=1", "systemd: STOPPING=1", "stopping", "stopped"]
        return all.compactMap { line in
            known.first { line.split(separator: " ", maxSplits: 1).last?.hasPrefix($0) == true }
        }
    }
}
