// SPDX-License-Identifier: Apache-2.0
import Glibc

/// A command of the user's: it has the terminal, files and environment that this process got.
package struct ChildProcess {
    private let process: pid_t

    /// Why a command was not started.
    package struct Failure: Error, Equatable {
        /// 127 where there is no such command, 126 where it cannot be run: as shells have it.
        package let exitCode: Int32
        package let sentence: String
    }

    /// The signals that are passed on to it.
    package static let passedOn = [SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2]

    /// - Parameters:
    ///   - inherited: The descriptors that the command gets.
    ///   - signals: Blocked here, but not in the command.
    package init(
        _ words: [String],
        _ inherited: InheritedDescriptors,
        _ signals: SignalDescriptor
    ) throws(Failure) {
        inherited.closeOthersOnExec()
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var mask = signals.previous
        posix_spawnattr_setsigmask(&attributes, &mask)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
        var arguments = words.map { strdup($0) } + [nil]
        defer { for argument in arguments { free(argument) } }
        var process = pid_t()
        let error = posix_spawnp(&process, words[0], nil, &attributes, &arguments, environ)
        guard error == 0 else {
            let isAbsent = error == ENOENT
            throw Failure(
                exitCode: isAbsent ? 127 : 126,
                sentence:
                    "\(words[0]) cannot be run (\(String(cString: strerror(error)))): check the command after \"--\"."
            )
        }
        self.process = process
    }

    package func send(_ signal: Int32) { kill(process, signal) }

    /// Its exit status, 128 and the signal's number if one ended it; `nil` while it runs.
    package func exitCode() -> Int32? {
        var status: Int32 = 0
        guard waitpid(process, &status, WNOHANG) == process else { return nil }
        let signal = status & 0x7F
        return signal == 0 ? (status >> 8) & 0xFF : 128 + signal
    }
}
