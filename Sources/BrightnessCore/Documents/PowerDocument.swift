// SPDX-License-Identifier: Apache-2.0

/// A display's power.
package struct PowerDocument: Document {
    private let state: DisplayState

    package init(_ state: DisplayState) { self.state = state }

    package func write(to json: inout JSONWriter) {
        json.member("display", state.id.text)
        state.power.write(to: &json)
    }
}
