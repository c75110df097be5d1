// SPDX-License-Identifier: Apache-2.0
import Glibc
import TestSupport
import Testing
import WebAPI

@testable import DaemonRuntime

@Suite struct ReloadTaskTests {
    private let folder: TemporaryFolder
    private let log = LogRecorder()
    private let secret = "0123456789abcdef0123456789abcdef"

    init() throws { folder = try TemporaryFolder() }

    /// Opens the file, writes its next content, and sends one SIGHUP.
    private func reload(_ before: String, _ after: String?) async throws {
        let file = TokenFile(try folder.write(before, to: "tokens"))
        let tokens = try ReloadTask.open(file, log.logger)
        if let after { _ = try folder.write(after, to: "tokens") } else { unlink(file.path) }
        await hangUp(file, tokens)
    }

    private func hangUp(_ file: TokenFile?, _ tokens: TokenStore?) async {
        let (hangups, hangup) = AsyncStream.makeStream(of: Void.self)
        hangup.yield()
        hangup.finish()
        await ReloadTask(
            file: file,
            tokens: tokens,
            hangups: hangups,
            noteReload: { [log] in log.logger.info("reloaded: \($0)") },
            logger: log.logger
        ).run()
    }

    @Test func `SIGHUP reloads the token file`() async throws {
        try await reload(
            "a:read:\(secret)\nb:read:1\(secret)\n",
            "a:read:\(secret)\nc:read:2\(secret)\nd:read:3\(secret)\n"
        )
        #expect(log.all == ["notice tokens reloaded: 2 new, 1 revoked", "info reloaded: true"])
    }

    @Test func `a file that becomes unreadable leaves the previous tokens in force`() async throws {
        try await reload("a:read:\(secret)\n", nil)
        #expect(log.all.dropFirst() == ["info reloaded: false"])
        #expect(log.all.first?.hasPrefix("error cannot reload the token file \(folder.path)/tokens: ") == true)
        #expect(log.all.first?.hasSuffix("Keeping the previous tokens") == true)
    }

    @Test func `SIGHUP without a token file does nothing`() async {
        await hangUp(nil, nil)
        #expect(log.all == ["notice SIGHUP: no token file or configuration to reload", "info reloaded: true"])
    }

    @Test func `an unusable file ends the start, and its path is not shown`() throws {
        let error = #expect(throws: OptionError.self) {
            try ReloadTask.open(TokenFile("/nowhere/hunter2"), log.logger)
        }
        #expect(error?.description.contains("hunter2") == false)
    }
}
