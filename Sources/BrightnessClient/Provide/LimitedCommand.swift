// SPDX-License-Identifier: Apache-2.0
import Glibc

/// A command that shows a display: without input, with a time limit, and in a process group of its own.
final class LimitedCommand {
    /// The time that a command has.
    static let limit: Duration = .seconds(10)
    private static let longestOutput = 4_096

    let words: [String]
    let deadline: ContinuousClock.Instant
    private let process: pid_t
    /// Its standard output.
    private let output: Int32

    /// - Throws: `.failed` if it cannot be run.
    init(
        _ words: [String],
        _ inherited: InheritedDescriptors,
        _ signals: SignalDescriptor,
        now: ContinuousClock.Instant = .now
    ) throws(ClientError) {
        var pipe: [Int32] = [-1, -1]
        guard Glibc.pipe(&pipe) == 0 else {
            throw .failed("\(words[0]) cannot be run (\(String(cString: strerror(errno)))).")
        }
        for end in pipe { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        _ = fcntl(pipe[0], F_SETFL, O_NONBLOCK)
        defer { close(pipe[1]) }
        output = pipe[0]
        inherited.closeOthersOnExec()
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var mask = signals.previous
        posix_spawnattr_setsigmask(&attributes, &mask)
        posix_spawnattr_setpgroup(&attributes, 0)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP))
        var files = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&files)
        defer { posix_spawn_file_actions_destroy(&files) }
        posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&files, pipe[1], STDOUT_FILENO)
        var arguments = words.map { strdup($0) } + [nil]
        defer { for argument in arguments { free(argument) } }
        var process = pid_t()
        let error = posix_spawnp(&process, words[0], &files, &attributes, &arguments, environ)
        guard error == 0 else {
            close(output)
            throw .failed("\(words[0]) cannot be run (\(String(cString: strerror(error)))).")
        }
        (self.words, self.process, deadline) = (words, process, now + Self.limit)
    }

    deinit { close(output) }

    /// Its exit status, 128 and the signal's number if one ended it; `nil` while it runs.
    func exitCode() -> Int32? {
        var status: Int32 = 0
        guard waitpid(process, &status, WNOHANG) == process else { return nil }
        let signal = status & 0x7F
        return signal == 0 ? (status >> 8) & 0xFF : 128 + signal
    }

    /// Ends it, and what it started.
    func stop() { kill(-process, SIGKILL) }

    /// The output of an ended command.
    func text() -> String {
        var buffer = [UInt8](repeating: 0, count: Self.longestOutput)
        let count = read(output, &buffer, buffer.count)
        return String(decoding: buffer.prefix(max(count, 0)), as: UTF8.self)
    }
}
