// SPDX-License-Identifier: Apache-2.0

/// The persisted state of a display's automatic brightness, part of its `DisplayRecord`.
package struct AutomaticRecord: Hashable, Sendable {
    /// The mode that a client set; `nil` for the default.
    package var isEnabled: Bool?
    /// The end of the hold after a person's change; `nil` without one.
    package var heldUntil: Moment?
    /// The brightness that a person chose in each light, the newest last.
    package var lessons: [BrightnessCurve.Point] = []

    /// The record of a display without a set mode, hold or lesson.
    package static let none = AutomaticRecord()
}
