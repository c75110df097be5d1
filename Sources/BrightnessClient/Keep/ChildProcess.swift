// SPDX-License-Identifier: Apache-2.0
import Glibc

/// A command of the user's: it has the environment that this process got, and the terminal or a pipe.
struct ChildProcess {
    private let process: pid_t

    /// Why a command was not started.
    struct Failure: Error, Equatable {
        /// 127 where there is no such command, 126 where it cannot be run: as shells have it.
        let exitCode: Int32
        /// The start of a sentence.
        let reason: String
    }

    /// The signals that are passed on to it.
    static let passedOn = [SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2]

    /// - Parameters:
    ///   - inherited: The descriptors that the command gets.
    ///   - signals: Blocked here, but not in the command.
    ///   - output: Its standard output: then it has no input, and a process group of its own.
    init(
        _ words: [String],
        _ inherited: InheritedDescriptors,
        _ signals: SignalDescriptor,
        output: Int32? = nil
    ) throws(Failure) {
        inherited.closeOthersOnExec()
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var files = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&files)
        defer { posix_spawn_file_actions_destroy(&files) }
        var flags = POSIX_SPAWN_SETSIGMASK
        var mask = signals.previous
        posix_spawnattr_setsigmask(&attributes, &mask)
        if let output {
            flags |= POSIX_SPAWN_SETPGROUP
            posix_spawnattr_setpgroup(&attributes, 0)
            posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
            posix_spawn_file_actions_adddup2(&files, output, STDOUT_FILENO)
        }
        posix_spawnattr_setflags(&attributes, Int16(flags))
        var arguments = words.map { strdup($0) } + [nil]
        defer { for argument in arguments { free(argument) } }
        var process = pid_t()
        let error = posix_spawnp(&process, words[0], &files, &attributes, &arguments, environ)
        guard error == 0 else {
            throw Failure(
                exitCode: error == ENOENT ? 127 : 126,
                reason: "\(words[0]) cannot be run (\(String(cString: strerror(error))))"
            )
        }
        self.process = process
    }

    func send(_ signal: Int32) { kill(process, signal) }

    /// Ends a command with a process group of its own, and what it started.
    func stopGroup() { kill(-process, SIGKILL) }

    /// Its exit status, 128 and the signal's number if one ended it; `nil` while it runs.
    func exitCode() -> Int32? {
        var status: Int32 = 0
        guard waitpid(process, &status, WNOHANG) == process else { return nil }
        let signal = status & 0x7F
        return signal == 0 ? (status >> 8) & 0xFF : 128 + signal
    }
}

/// The open descriptors that this process got from its parent, for a command that it starts.
///
/// libcurl opens descriptors without close-on-exec, which a command must not get. It does get the caller's files and
/// pipes, such as a shell's `<(…)`.
struct InheritedDescriptors {
    private let descriptors: Set<Int32>

    /// Reads them. Call it before the first connection.
    init() { descriptors = Self.open }

    /// Makes the kernel close every other descriptor when a command is started.
    func closeOthersOnExec() {
        for descriptor in Self.open.subtracting(descriptors) { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
    }

    private static var open: Set<Int32> {
        guard let directory = opendir("/proc/self/fd") else { return [] }
        defer { closedir(directory) }
        var descriptors: Set<Int32> = []
        while let entry = readdir(directory) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { name in
                name.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if let descriptor = Int32(name), descriptor != dirfd(directory) { descriptors.insert(descriptor) }
        }
        return descriptors
    }
}
