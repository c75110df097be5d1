// SPDX-License-Identifier: Apache-2.0

/// How finely the past is kept from some age on: of each `step` the last sample, so that what was in force at its end is
/// still known. In milliseconds.
///
/// The steps of an older tier are made of whole ones of the younger. A step is open at its begin and closed at its end.
struct RetentionTier: Equatable {
    let age: Int64
    let step: Int64

    private static let minute: Int64 = 60_000
    private static let hour = 60 * minute
    private static let day = 24 * hour

    /// What is older than that is forgotten.
    static let oldest = 365 * day

    static let all = [
        RetentionTier(age: hour, step: minute),
        RetentionTier(age: 7 * day, step: 15 * minute),
        // Of all time before the last sample is left: it may still be in force.
        RetentionTier(age: oldest, step: 1 << 52),
    ]

    var isLast: Bool { self == Self.all.last }

    /// Up to when it applies: the end of a step.
    func limit(at now: Int64) -> Int64 {
        let limit = now - age
        return isLast ? limit : limit - limit % step
    }
}
