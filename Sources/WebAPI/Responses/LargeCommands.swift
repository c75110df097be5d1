// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import Dispatch
import HTTPServer
import Synchronization

/// The commands for many displays. One at a time is executed, on a thread of their own: a turn of a shard executes
/// none, and encodes no response of thousands of displays. Any thread.
final class LargeCommands: Sendable {
    /// The maximum number of displays on which a shard executes a command itself.
    static let fewDisplays = 256
    static let limit = 64
    /// A request does not wait longer for its command to begin.
    private static let timeout: Duration = .seconds(30)

    private let waiting = Mutex(0)
    private let run: @Sendable (_ delay: Duration, @escaping @Sendable () -> Void) -> Void

    /// - Parameter run: Runs a closure on another thread after a delay; without one after those before it.
    init(run: @escaping @Sendable (_ delay: Duration, @escaping @Sendable () -> Void) -> Void) { self.run = run }

    convenience init() {
        let queue = DispatchQueue(label: "large commands")
        self.init { delay, job in
            if delay == .zero { return queue.async(execute: job) }
            queue.asyncAfter(deadline: .now() + .milliseconds(Int(delay / .milliseconds(1))), execute: job)
        }
    }

    /// Returns the reply to a command that waits.
    ///
    /// - Parameter time: How long the request waits for the result once the command has begun.
    static func deferred(waiting time: Duration = .zero) -> Deferred {
        Deferred(limit: timeout + time) {
            Problem.retry(
                .temporarilyUnavailable,
                "The command was not begun within 30 seconds. It may still be carried out. GET the displays for their "
                    + "current state."
            ).response
        }
    }

    /// Executes a command after those before it.
    func submit(_ command: @escaping @Sendable () -> Void) throws(Problem) {
        let isFull = waiting.withLock { waiting in
            defer { waiting = min(waiting + 1, Self.limit) }
            return waiting == Self.limit
        }
        if isFull {
            throw .retry(
                .serverLimitReached,
                "\(Self.limit) commands for more than \(Self.fewDisplays) displays are waiting, the maximum. Nothing "
                    + "was changed.",
                after: 1
            )
        }
        enqueue {
            self.waiting.withLock { $0 -= 1 }
            command()
        }
    }

    /// Runs further work of a command on the same thread.
    func enqueue(after delay: Duration = .zero, _ work: @escaping @Sendable () -> Void) { run(delay, work) }
}
