// SPDX-License-Identifier: Apache-2.0
package import BrightnessCore

/// A display's automatic brightness: whether it is on, and what people taught it.
package struct AutomaticDocument: PropertyDocument {
    private let state: DisplayState
    /// `nil` for a display of another daemon.
    private let lessons: [BrightnessCurve.Point]?

    package init(_ state: DisplayState, lessons: [BrightnessCurve.Point]?) {
        self.state = state
        self.lessons = lessons
    }

    package func write(to json: inout JSONWriter) {
        json.member("display", state.id.text)
        json.member("enabled", state.automatic.isEnabled)
        json.member("heldUntil", state.automatic.heldUntil?.rfc3339)
        json.member("waiting", state.automatic.waiting?.rawValue)
        json.name("lessons")
        guard let lessons else { return json.null() }
        json.array(lessons) { json, lesson in
            json.object {
                $0.member("illuminance", fraction: lesson.illuminance.lux)
                $0.member("brightness", fraction: lesson.brightness.fraction)
            }
        }
    }
}
