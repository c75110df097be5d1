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
        guard let lessons else { return json.member("lessons", nil as String?) }
        json.member("lessons", lessons)
    }
}

/// A lesson: the brightness that a person chose in a light.
extension BrightnessCurve.Point: Document {
    package func write(to json: inout JSONWriter) {
        json.member("illuminance", fraction: illuminance.lux)
        json.member("brightness", fraction: brightness.fraction)
    }

    init?(reading json: JSONNode) {
        guard let illuminance = json["illuminance"]?.illuminance, let brightness = json["brightness"]?.brightness
        else { return nil }
        self.init(illuminance, brightness)
    }
}
