// SPDX-License-Identifier: Apache-2.0

/// A store for schedules that survive the daemon. Any thread; nothing blocks.
package protocol ScheduleJournal: Sendable {
    /// Stores a schedule in place of the previous one of that name.
    ///
    /// - Parameters:
    ///   - record: `nil` removes it.
    ///   - completion: Called once, later, after it was stored or could not be. Then it is retried.
    func keep(_ name: ResourceName, _ record: ScheduleRecord?, completion: @escaping @Sendable () -> Void)
}
