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
        let lock = "\(folder.path)/\(StateDirectory.lockName)"
        #expect(mkdir(lock, 0o700) == 0)
        defer { rmdir(lock) }
        let first = try StateDirectory(folder.path)
        #expect(throws: StateDirectory.Failure.inUse(path: folder.path, by: nil)) { try StateDirectory(folder.path) }
        withExtendedLifetime(first) {}
    }

    @Test func `a released directory can be locked again`() throws {
        for _ in 0..<2 { _ = try StateDirectory(folder.path) }
    }

    @Test(arguments: ["important", "important\n", "4711", "x4711\n", "12345678901234567890123\n"])
    func `a file with another content is locked, and not overwritten`(content: String) throws {
        for name in ["lock", StateDirectory.lockName] {
            let path = try folder.write(content, to: name)
            let first = try StateDirectory(folder.path)
            #expect(try text(of: path) == content)
            withExtendedLifetime(first) {}
        }
    }

    @Test func `the id of an earlier process is replaced by this one's`() throws {
        let path = try folder.write("123456789\n", to: StateDirectory.lockName)
        let first = try StateDirectory(folder.path)
        #expect(try text(of: path) == "\(getpid())\n")
        withExtendedLifetime(first) {}
    }

    @Test func `a link or a pipe in place of the lock file is not opened`() throws {
        let lock = "\(folder.path)/\(StateDirectory.lockName)"
        let other = try folder.write("", to: "other")
        #expect(symlink(other, lock) == 0)
        do {
            let first = try StateDirectory(folder.path)
            #expect(throws: StateDirectory.Failure.inUse(path: folder.path, by: nil)) {
                try StateDirectory(folder.path)
            }
            withExtendedLifetime(first) {}
        }
        #expect(try text(of: other) == "")
        unlink(lock)
        #expect(mkfifo(lock, 0o600) == 0)
        _ = try StateDirectory(folder.path)
    }

    private func text(of path: String) throws -> String {
        let file = open(path, O_RDONLY)
        defer { close(file) }
        try #require(file >= 0)
        var buffer = [UInt8](repeating: 0, count: 256)
        let count = read(file, &buffer, buffer.count)
        return String(decoding: buffer.prefix(max(0, count)), as: UTF8.self)
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
