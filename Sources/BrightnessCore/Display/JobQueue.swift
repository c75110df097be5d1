// SPDX-License-Identifier: Apache-2.0

/// Where jobs run one after another, such as a panel's reads and writes.
package protocol JobQueue: Sendable {
    func enqueue(_ job: @escaping @Sendable () -> Void)
}

/// Runs jobs at once on the caller's thread. For panels that never block, such as a simulated one.
package struct ImmediateQueue: JobQueue {
    package init() {}

    package func enqueue(_ job: @escaping @Sendable () -> Void) { job() }
}
