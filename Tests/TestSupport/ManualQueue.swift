// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import Synchronization

/// A panel's queue whose jobs wait until the test runs them, on the test's thread.
package final class ManualQueue: JobQueue {
    private let jobs = Mutex<[@Sendable () -> Void]>([])

    package init() {}

    package func enqueue(_ job: @escaping @Sendable () -> Void) { jobs.withLock { $0.append(job) } }

    /// The number of waiting jobs.
    package var count: Int { jobs.withLock { $0.count } }

    /// Runs the oldest job; returns `false` if none waits.
    @discardableResult
    package func runOne() -> Bool {
        let job = jobs.withLock { $0.isEmpty ? nil : $0.removeFirst() }
        job?()
        return job != nil
    }

    /// Drops all waiting jobs, like the end of a process.
    package func removeAll() {
        let forgotten = jobs.withLock { jobs in
            defer { jobs = [] }
            return jobs
        }
        _ = forgotten
    }

    /// Runs all jobs, including those that are enqueued by them.
    package func runAll() {
        while runOne() {}
    }
}

/// Runs jobs immediately on the caller's thread.
package struct ImmediateQueue: JobQueue {
    package init() {}

    package func enqueue(_ job: @escaping @Sendable () -> Void) { job() }
}
