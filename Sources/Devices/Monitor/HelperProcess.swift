// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import CLinux
import DDCWire
import Dispatch
import Glibc
import Support

/// One run of `brightness-ddc`: requests and answers over one socket. One thread at a time.
///
/// It ends with this object, and with the daemon: its standard input is the other end of the socket.
final class HelperProcess {
    /// The maximum number of objects in an answer: one for each monitor, and the last one.
    private static let longestReply = 257

    private let path: String
    let pid: pid_t
    private let socket: Int32
    private var unread = LineBuffer()
    private var lastNumber = 0

    /// - Throws: `.absent` without such a program, `.io` if it cannot be started.
    init(path: String, sysfsRoot: String) throws(DeviceError) {
        var ends: [Int32] = [-1, -1]
        let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, type, 0, &ends) == 0 else { throw .io(path: path, errno: errno) }
        defer { close(ends[1]) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, ends[1], STDIN_FILENO)
        posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO)
        // A client's socket that another thread has just accepted is not close-on-exec yet.
        clinux_close_from(&actions, STDERR_FILENO + 1)
        // The helper gets the default signal handling.
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var (blocked, defaults) = (sigset_t(), sigset_t())
        sigemptyset(&blocked)
        sigemptyset(&defaults)
        for number in [SIGPIPE, SIGXFSZ, SIGTERM, SIGINT, SIGHUP] { sigaddset(&defaults, number) }
        posix_spawnattr_setsigmask(&attributes, &blocked)
        posix_spawnattr_setsigdefault(&attributes, &defaults)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
        var arguments: [UnsafeMutablePointer<CChar>?] = [strdup(path), strdup(sysfsRoot), nil]
        defer { for argument in arguments { free(argument) } }
        var process = pid_t()
        let error = posix_spawn(&process, path, &actions, &attributes, &arguments, environ)
        guard error == 0 else {
            close(ends[0])
            throw DeviceError(errno: error, path: path)
        }
        self.path = path
        pid = process
        socket = ends[0]
    }

    /// Sends a request and waits for the whole answer: the last object has no monitor.
    ///
    /// - Parameters:
    ///   - limit: The timeout. It is read again several times a second, so that it can become shorter. A suspend does
    ///     not count.
    ///   - now: Reads the clock.
    /// - Throws: `.io` with `EPIPE` if the process has ended, `ETIMEDOUT` without a whole answer; `.malformed` for
    ///   anything else than an answer, and for one that is too long. The process is unusable afterwards.
    func ask(
        _ request: [String: WireObject.Value],
        within limit: () -> Duration,
        now: () -> ContinuousClock.Instant = { .now }
    ) throws(DeviceError) -> [WireObject] {
        lastNumber += 1
        let line = WireObject(request.merging(["number": .number(lastNumber)]) { $1 }).line
        guard send(socket, line, line.count, Int32(MSG_NOSIGNAL)) == line.count else {
            throw .io(path: path, errno: EPIPE)
        }
        let longest = limit()
        var countdown = Countdown(longest)
        var last = now()
        var answers: [WireObject] = []
        while true {
            let answer = try nextLine {
                let time = now()
                countdown.spend(time - last)
                last = time
                // Less than `left` once the limit has become shorter.
                return countdown.left - (longest - limit())
            }
            guard let object = WireObject(line: answer) else {
                throw .malformed(path: path, text: String(decoding: answer.prefix(40), as: UTF8.self))
            }
            guard object.number("number") == lastNumber else { continue }
            answers.append(object)
            guard answers.count <= Self.longestReply else { throw .malformed(path: path, text: "answer too long") }
            if object.text("monitor") == nil { return answers }
        }
    }

    /// - Parameter left: Returns the remaining time, and is called at least once per `Countdown.step`.
    private func nextLine(within left: () -> Duration) throws(DeviceError) -> [UInt8] {
        while true {
            if let line = unread.next() { return line }
            guard !unread.isTooLong else { throw .malformed(path: path, text: "line too long") }
            // Checked before more is received, so that a flood of lines cannot outlast it.
            let left = left()
            guard left > .zero else { throw .io(path: path, errno: ETIMEDOUT) }
            var waiting = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
            let ready = poll(&waiting, 1, Int32((min(left, Countdown.step) / .milliseconds(1)).rounded(.up)))
            if ready == 0 || (ready < 0 && errno == EINTR) { continue }
            guard ready > 0 else { throw .io(path: path, errno: errno) }
            var buffer = [UInt8](repeating: 0, count: 4_096)
            let count = recv(socket, &buffer, buffer.count, 0)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw .io(path: path, errno: EPIPE) }
            unread.add(buffer.prefix(count))
        }
    }

    /// Whether a process that was killed has ended. The kernel may keep one in a call on a broken bus.
    static func hasEnded(_ pid: pid_t) -> Bool {
        var end = siginfo_t()
        // An error: it was waited for already.
        return waitid(P_PID, id_t(pid), &end, WEXITED | WNOHANG | WNOWAIT) != 0 || end.si_signo == SIGCHLD
    }

    deinit {
        close(socket)
        kill(pid, SIGKILL)
        // In the background: a process stuck in the kernel ends late.
        DispatchQueue.global().async { [pid] in
            var status: Int32 = 0
            _ = uninterrupted { waitpid(pid, &status, 0) }
        }
    }
}

/// Splits received bytes into lines.
struct LineBuffer {
    /// In bytes; far longer than any line of the helper.
    static let longest = 65_536

    private var bytes: [UInt8] = []

    mutating func add(_ more: some Sequence<UInt8>) { bytes += more }

    /// Returns the first line without its end; `nil` if it is not complete.
    mutating func next() -> [UInt8]? {
        guard let end = bytes.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
        defer { bytes.removeFirst(end + 1) }
        return Array(bytes[..<end])
    }

    /// Whether the incomplete line is too long. Valid if `next()` returned `nil`.
    var isTooLong: Bool { bytes.count >= Self.longest }
}
