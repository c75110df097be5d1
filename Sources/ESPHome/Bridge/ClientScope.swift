// SPDX-License-Identifier: Apache-2.0
package import BrightnessCore

/// The permissions of all ESPHome clients.
package struct ClientScope: Sendable {
    /// Whether clients may change displays.
    let mayWrite: Bool
    /// The displays that clients see and may change; `nil` for every display of this machine.
    let limit: DisplaySelector?

    /// To see and to change every display of this machine.
    package static let write = ClientScope(mayWrite: true)

    package init(mayWrite: Bool, limit: DisplaySelector? = nil) {
        (self.mayWrite, self.limit) = (mayWrite, limit)
    }

    func includes(_ state: DisplayState) -> Bool { limit?.includes(state) ?? true }

    /// Throws a problem unless clients may change displays.
    func requireWrite() throws(Problem) {
        guard mayWrite else {
            throw Problem(.forbidden, "Home Assistant may only read (--esphome-scope read). Nothing was changed.")
        }
    }
}
