// SPDX-License-Identifier: Apache-2.0
package import BrightnessCore

/// A display's automatic brightness: whether it is on, and what people taught it.
package struct AutomaticDocument {
    private let state: DisplayState
    /// `nil` for a display of another daemon.
    private let lessons: [BrightnessCurve.Point]?

    package init(_ state: DisplayState, lessons: [BrightnessCurve.Point]?) {
        self.state = state
        self.lessons = lessons
    }

    /// The document of `GET …/auto`.
    package var json: [UInt8] { JSONWriter.object { write(to: &$0) } }

    /// The document of `GET /v1/displays/all/auto`.
    package static func list(_ documents: [AutomaticDocument]) -> [UInt8] {
        JSONWriter.object { json in
            json.name("displays")
            json.array(documents) { json, document in json.object { document.write(to: &$0) } }
        }
    }

    private func write(to json: inout JSONWriter) {
        json.member("display", state.id.text)
        json.member("enabled", state.automatic.isEnabled)
        json.member("heldUntil", state.automatic.heldUntil?.rfc3339)
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
