// SPDX-License-Identifier: Apache-2.0

/// A queue that runs jobs one after another, such as a panel's reads and writes.
package protocol JobQueue: Sendable {
    func enqueue(_ job: @escaping @Sendable () -> Void)
}

/// Runs jobs immediately on the caller's thread. For panels that never block, such as simulated ones.
package struct ImmediateQueue: JobQueue {
    package init() {}

    package func enqueue(_ job: @escaping @Sendable () -> Void) { job() }
}
