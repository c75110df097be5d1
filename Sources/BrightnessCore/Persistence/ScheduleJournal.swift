// SPDX-License-Identifier: Apache-2.0

/// A store for schedules and their place that survive the daemon. Any thread; nothing blocks.
package protocol ScheduleJournal: Sendable {
    /// Stores a schedule in place of the previous one of that name.
    ///
    /// - Parameters:
    ///   - record: `nil` removes it.
    ///   - completion: Called once, later, after it was stored or could not be. Then it is retried.
    func keep(_ name: ResourceName, _ record: ScheduleRecord?, completion: @escaping @Sendable () -> Void)

    /// Stores the place that a person has set.
    ///
    /// - Parameters:
    ///   - location: `nil` forgets it.
    ///   - completion: As above.
    func keep(_ location: Location?, completion: @escaping @Sendable () -> Void)
}
