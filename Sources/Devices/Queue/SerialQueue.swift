// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import Dispatch

/// Runs jobs one after another, on a thread that is theirs alone meanwhile: a device that blocks blocks nobody else.
package struct SerialQueue: JobQueue {
    private let queue: DispatchQueue

    /// - Parameter label: For debuggers.
    package init(_ label: String) { queue = DispatchQueue(label: label) }

    package func enqueue(_ job: @escaping @Sendable () -> Void) { queue.async(execute: job) }
}
