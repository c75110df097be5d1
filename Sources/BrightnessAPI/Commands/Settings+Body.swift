// SPDX-License-Identifier: Apache-2.0
package import BrightnessCore
import Documents

extension Command {
    /// `PUT …/settings`: `{"name":"Left"}`. A member that is left out keeps its setting, `null` is the device's own.
    package static func configure(from body: consuming RequestBody) throws(Problem) -> Command {
        let change = DisplaySettings.Change(name: try body.displayName("name"))
        let attribution = try body.attribution()
        body.explain(["display", "deviceName"], "It is not a setting; leave it out.")
        let missing = "Send name, such as {\"name\":\"Left\"}; null is the device's own."
        let isAny = change != DisplaySettings.Change()
        return attribution.attribute(.configure(try body.end(requiring: isAny ? change : nil, "", missing)))
    }
}

extension RequestBody {
    /// The outer optional is `nil` if the member is missing; the inner one is `nil` if the member is `null`.
    fileprivate mutating func displayName(_ name: String) throws(Problem) -> DisplayName?? {
        guard let text = try nullableString(name, length: 1...64) else { return nil }
        guard let text else { return .some(nil) }
        guard let wanted = DisplayName(text) else {
            try reject(name, "\(name) must not begin or end with a space, and must be valid text.")
            return nil
        }
        return wanted
    }
}
