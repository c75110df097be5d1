// SPDX-License-Identifier: Apache-2.0
import Dispatch

/// A queue that runs jobs one after another, such as a panel's reads and writes.
package protocol JobQueue: Sendable {
    func enqueue(_ job: @escaping @Sendable () -> Void)
}

/// Runs the jobs of one device in order on a thread of their own, so that a blocking device blocks no other.
package struct SerialQueue: JobQueue {
    private let queue: DispatchQueue

    package init(_ label: String) { queue = DispatchQueue(label: label) }

    package func enqueue(_ job: @escaping @Sendable () -> Void) { queue.async(execute: job) }
}
