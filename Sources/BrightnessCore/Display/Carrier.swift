// SPDX-License-Identifier: Apache-2.0

/// Who carries out the commands for one display: the worker of a panel, or the way to another daemon.
package protocol Carrier: Sendable {
    /// - Parameter completion: Called exactly once, on any thread.
    func submit(_ command: Command, at now: Moment, completion: @escaping DisplayService.Completion)
}
