// SPDX-License-Identifier: Apache-2.0
package import BrightnessCore

/// A display's power.
package struct PowerDocument {
    private let state: DisplayState

    package init(_ state: DisplayState) { self.state = state }

    /// The document of `GET …/power`.
    package var json: [UInt8] { JSONWriter.object { write(to: &$0) } }

    /// The document of `GET /v1/displays/all/power`.
    package static func list(_ documents: [PowerDocument]) -> [UInt8] {
        JSONWriter.object { json in
            json.name("displays")
            json.array(documents) { json, document in json.object { document.write(to: &$0) } }
        }
    }

    private func write(to json: inout JSONWriter) {
        json.member("display", state.id.text)
        json.member("on", optional: state.power.isOn)
        json.member("baseline", state.power.baseline)
        json.member("switchable", state.power.isSwitchable)
    }
}
