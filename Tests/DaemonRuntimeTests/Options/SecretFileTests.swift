// SPDX-License-Identifier: Apache-2.0
import Glibc
import TestSupport
import Testing

@testable import DaemonRuntime

@Suite struct SecretFileTests {
    @Test func `the first line is read from a pipe whose writer stays`() throws {
        let folder = try TemporaryFolder()
        let path = "\(folder.path)/pipe"
        try #require(mkfifo(path, 0o600) == 0)
        let writer = open(path, O_RDWR)
        defer { close(writer) }
        let text = Array("hunter2\nmore".utf8)
        #expect(write(writer, text, text.count) == text.count)
        #expect(try SecretFile.firstLine(of: path, "--mqtt-password-file", "password") == "hunter2")
    }
}
