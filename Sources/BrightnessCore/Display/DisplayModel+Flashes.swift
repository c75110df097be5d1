// SPDX-License-Identifier: Apache-2.0

/// The flashes of a display's panel, by brightness and by power.
extension DisplayModel {
    /// Counts a change of what the panel shows.
    mutating func noteShown(at now: Moment) {
        let step = power.isDark ? 0 : shown
        flashes?.showed(step, at: now.instant)
    }

    /// When the panel may be switched to its target, if that would otherwise be a flash too many.
    var switchDue: Instant? { isSwitchPending ? flashes?.start(to: powerTarget ? target : 0) : nil }

    /// Lets switches and writes happen without a pause. For the last command.
    mutating func hurry() {
        power.hurry()
        flashes?.lift()
    }
}
