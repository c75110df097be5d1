// SPDX-License-Identifier: Apache-2.0
package import BrightnessCore
import Dispatch

/// Runs a panel's jobs one after another, on a thread that is its alone meanwhile: a panel that blocks blocks nobody
/// else.
package struct SerialQueue: PanelQueue {
    private let queue: DispatchQueue

    package init(for id: DisplayID) { queue = DispatchQueue(label: "panel.\(id)") }

    package func enqueue(_ job: @escaping @Sendable () -> Void) { queue.async(execute: job) }
}
