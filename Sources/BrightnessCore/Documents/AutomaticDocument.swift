// SPDX-License-Identifier: Apache-2.0

/// A display's automatic brightness: whether it is on, and what people taught it.
package struct AutomaticDocument: Document {
    private let state: DisplayState
    /// `nil` for a display of another daemon.
    private let lessons: [BrightnessCurve.Point]?

    package init(_ state: DisplayState, lessons: [BrightnessCurve.Point]?) {
        self.state = state
        self.lessons = lessons
    }

    package func write(to json: inout JSONWriter) {
        json.member("display", state.id.text)
        state.automatic.write(to: &json)
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
