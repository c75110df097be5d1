// SPDX-License-Identifier: Apache-2.0
import Glibc
import Testing

@testable import Journal

@Suite struct StateDirectoryTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test func `one has it at a time, and the other is told who`() throws {
        let first = try StateDirectory(folder.path)
        #expect(throws: StateDirectory.Failure.inUse(path: folder.path, by: Int(getpid()))) {
            try StateDirectory(folder.path)
        }
        withExtendedLifetime(first) {}
    }

    /// As on a full disk, or one that became read-only before the first start.
    @Test func `one has it at a time where no lock file can be made`() throws {
        #expect(mkdir("\(folder.path)/lock", 0o700) == 0)
        defer { rmdir("\(folder.path)/lock") }
        let first = try StateDirectory(folder.path)
        #expect(throws: StateDirectory.Failure.inUse(path: folder.path, by: nil)) { try StateDirectory(folder.path) }
        withExtendedLifetime(first) {}
    }

    @Test func `when it is let go it is free`() throws {
        for _ in 0..<2 { _ = try StateDirectory(folder.path) }
    }

    @Test func `what is no directory cannot be used`() throws {
        #expect(throws: StateDirectory.Failure.unusable(path: "/dev/null/state", errno: ENOTDIR)) {
            try StateDirectory("/dev/null/state")
        }
    }

    @Test(
        arguments: [
            (true, [:], "/var/lib/brightnessd"),
            (true, ["STATE_DIRECTORY": "/var/lib/kiosk"], "/var/lib/kiosk"),
            (false, ["HOME": "/home/maria"], "/home/maria/.local/state/brightnessd"),
            (false, ["HOME": "/home/maria", "XDG_STATE_HOME": "/state"], "/state/brightnessd"),
            (false, ["HOME": "/home/maria", "XDG_STATE_HOME": "relative"], "/home/maria/.local/state/brightnessd"),
            (false, [:], nil),
        ] as [(Bool, [String: String], String?)]
    )
    func `where it is when nobody says`(isRoot: Bool, variables: [String: String], path: String?) {
        #expect(StateDirectory.default(isRoot: isRoot) { variables[$0] } == path)
    }
}
