// SPDX-License-Identifier: Apache-2.0
import BrightnessCore

/// When clients read another table of entities. They read it once a connection, so each other table costs every client
/// its connection. Changes are collected for a while, which is longer the more tables there were within a day.
///
/// Rules only; time is an argument.
struct TableChanges {
    private static let shortest: Duration = .seconds(10)
    private static let factor = 3
    private static let day: Duration = .seconds(86_400)

    /// The times of the tables of the last day.
    private var recent: [Instant] = []
    /// When the newest table is compared with the one that clients have read; `nil` without a change.
    private(set) var due: Instant?

    /// Notes that the table may be another.
    mutating func note(at now: Instant) {
        guard due == nil else { return }
        recent.removeAll { $0 + Self.day <= now }
        due = now + recent.reduce(Self.shortest) { pause, _ in pause * Self.factor }
    }

    /// Notes the result of the comparison.
    mutating func end(isOther: Bool, at now: Instant) {
        due = nil
        if isOther { recent.append(now) }
    }

    /// Notes that no client has read the table.
    mutating func cancel() { due = nil }
}
