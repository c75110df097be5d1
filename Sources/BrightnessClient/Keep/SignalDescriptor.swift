// SPDX-License-Identifier: Apache-2.0
internal import CLinux
import Glibc

/// Signals that are blocked from now on, and read from a descriptor.
final class SignalDescriptor {
    let descriptor: Int32
    /// The mask before, which a started command gets.
    private(set) var previous = sigset_t()

    struct Signal: Equatable {
        let number: Int32
        /// Whether a process sent it. What a terminal sends (Ctrl-C) goes to every process in its foreground.
        let isFromProcess: Bool
    }

    /// - Parameter unlessIgnored: Whether signals that the parent has set to be ignored, such as that of `nohup`, stay
    ///   ignored.
    /// - Throws: When the process has no descriptor left.
    init(_ numbers: [Int32], unlessIgnored: Bool = false) throws(ClientError) {
        // Where the parent ignored it, the end of a command would not be reported.
        signal(SIGCHLD, SIG_DFL)
        var signals = sigset_t()
        sigemptyset(&signals)
        // The kernel keeps a blocked signal even if it is ignored.
        for number in numbers where !unlessIgnored || clinux_is_ignored(number) == 0 { sigaddset(&signals, number) }
        sigprocmask(SIG_BLOCK, &signals, &previous)
        descriptor = signalfd(-1, &signals, Int32(SFD_CLOEXEC | SFD_NONBLOCK))
        guard descriptor >= 0 else {
            throw .failed("Signals cannot be read (\(String(cString: strerror(errno)))): close some files first.")
        }
    }

    deinit { close(descriptor) }

    /// Returns the signals that came since the last call.
    func next() -> [Signal] {
        var signals: [Signal] = []
        var one = signalfd_siginfo()
        while read(descriptor, &one, MemoryLayout<signalfd_siginfo>.size) == MemoryLayout<signalfd_siginfo>.size {
            signals.append(Signal(number: Int32(one.ssi_signo), isFromProcess: one.ssi_code <= 0))
        }
        return signals
    }
}
