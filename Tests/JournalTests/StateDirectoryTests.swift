// SPDX-License-Identifier: Apache-2.0
import Glibc
import TestSupport
import Testing

@testable import Journal

@Suite struct StateDirectoryTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test func `one daemon locks the directory, and the error names its process`() throws {
        let first = try StateDirectory(folder.path)
        #expect(throws: StateDirectory.Failure.inUse(path: folder.path, by: Int(getpid()))) {
            try StateDirectory(folder.path)
        }
        withExtendedLifetime(first) {}
    }

    /// As on a full disk, or one that became read-only before the first start.
    @Test func `one daemon locks the directory even without a lock file`() throws {
        #expect(mkdir("\(folder.path)/lock", 0o700) == 0)
        defer { rmdir("\(folder.path)/lock") }
        let first = try StateDirectory(folder.path)
        #expect(throws: StateDirectory.Failure.inUse(path: folder.path, by: nil)) { try StateDirectory(folder.path) }
        withExtendedLifetime(first) {}
    }

    @Test func `a released directory can be locked again`() throws {
        for _ in 0..<2 { _ = try StateDirectory(folder.path) }
    }

    @Test func `a path that is not a directory is rejected`() throws {
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
    func `the default depends on user and environment`(isRoot: Bool, variables: [String: String], path: String?) {
        #expect(StateDirectory.default(isRoot: isRoot) { variables[$0] } == path)
    }
}
