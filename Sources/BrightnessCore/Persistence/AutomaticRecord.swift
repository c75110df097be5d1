// SPDX-License-Identifier: Apache-2.0

/// What of a display's automatic brightness has to survive the daemon: part of its `DisplayRecord`.
package struct AutomaticRecord: Hashable, Sendable {
    /// As somebody switched it; `nil` while nobody has.
    package var isEnabled: Bool?
    /// A person has set the display: until then the light changes nothing.
    package var heldUntil: Moment?
    /// What a person chose in which light, the newest last.
    package var lessons: [BrightnessCurve.Point]

    package init(isEnabled: Bool? = nil, heldUntil: Moment? = nil, lessons: [BrightnessCurve.Point] = []) {
        self.isEnabled = isEnabled
        self.heldUntil = heldUntil
        self.lessons = lessons
    }

    /// What there is of a display that nobody has switched or taught.
    package static let none = AutomaticRecord()
}
