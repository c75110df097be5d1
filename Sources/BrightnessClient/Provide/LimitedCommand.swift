// SPDX-License-Identifier: Apache-2.0
import Glibc
import Support

/// A command of `brightness provide`: its output is kept, and its time is limited. A suspend does not count.
final class LimitedCommand {
    static let limit: Duration = .seconds(10)
    private static let longestOutput = 4_096

    let words: [String]
    private var countdown = Countdown(LimitedCommand.limit)
    private var lastCheck: ContinuousClock.Instant
    private let process: ChildProcess
    private let output: Int32

    /// - Throws: `.failed` if it cannot be run.
    init(
        _ words: [String],
        _ inherited: InheritedDescriptors,
        _ signals: SignalDescriptor
    ) throws(ClientError) {
        var pipe: [Int32] = [-1, -1]
        guard Glibc.pipe(&pipe) == 0 else {
            throw .failed("\(words[0]) cannot be run (\(String(cString: strerror(errno)))).")
        }
        for end in pipe { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        _ = fcntl(pipe[0], F_SETFL, O_NONBLOCK)
        defer { close(pipe[1]) }
        do throws(ChildProcess.Failure) {
            process = try ChildProcess(words, inherited, signals, output: pipe[1])
        } catch {
            close(pipe[0])
            throw .failed("\(error.reason).")
        }
        (self.words, output, lastCheck) = (words, pipe[0], .now)
    }

    deinit { close(output) }

    /// The latest time for the next call of `spendTime`.
    var nextCheck: ContinuousClock.Instant { lastCheck + countdown.wait }

    /// Counts the time since the last call. Returns whether its time is over.
    func spendTime() -> Bool {
        let now = ContinuousClock.now
        countdown.spend(now - lastCheck)
        lastCheck = now
        return countdown.isOver
    }

    /// Its exit status, 128 and the signal's number if one ended it; `nil` while it runs.
    func exitCode() -> Int32? { process.exitCode() }

    /// Ends it, and what it started.
    func stop() { process.stopGroup() }

    /// The output of an ended command.
    func text() -> String {
        var buffer = [UInt8](repeating: 0, count: Self.longestOutput)
        let count = read(output, &buffer, buffer.count)
        return String(decoding: buffer.prefix(max(count, 0)), as: UTF8.self)
    }
}
