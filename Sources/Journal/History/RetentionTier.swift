// SPDX-License-Identifier: Apache-2.0

/// The resolution of the history from some age on. The last sample of each `step` is kept, because it is in force at
/// the end of the step. In milliseconds.
///
/// The steps of an older tier consist of whole steps of the younger one. A step excludes its start and includes its
/// end.
struct RetentionTier: Equatable {
    let age: Int64
    let step: Int64

    private static let minute: Int64 = 60_000
    private static let hour = 60 * minute
    private static let day = 24 * hour

    /// Older samples are deleted.
    static let oldest = 365 * day

    static let all = [
        RetentionTier(age: hour, step: minute),
        RetentionTier(age: 7 * day, step: 15 * minute),
        // Of all older time the last sample stays, because it may still be in force.
        RetentionTier(age: oldest, step: 1 << 52),
    ]

    var isLast: Bool { self == Self.all.last }

    /// The end of the last step that the tier applies to.
    func limit(at now: Int64) -> Int64 {
        let limit = now - age
        return isLast ? limit : limit - limit % step
    }
}
