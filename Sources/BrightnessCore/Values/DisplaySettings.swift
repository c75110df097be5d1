// SPDX-License-Identifier: Apache-2.0

/// The properties of a display that people choose once, apart from its brightness. They survive the daemon.
package struct DisplaySettings: Hashable, Sendable {
    /// `nil` for the device's own name.
    package var name: DisplayName?
    /// `nil` for that of the option `--curve`.
    package var curve: PanelCurve?
    /// The position among the displays on a page, 1 for the first; `nil` for one after all that have a position.
    package var position: Position?

    package static let none = DisplaySettings()

    mutating func apply(_ change: Change) {
        if let name = change.name { self.name = name }
        if let curve = change.curve { self.curve = curve }
        if let position = change.position { self.position = position }
    }

    var change: Change { Change(name: .some(name), curve: .some(curve), position: .some(position)) }

    /// New values for some of the settings. The outer optional is `nil` for a setting that stays as it is; the inner
    /// one is `nil` for the device's own value.
    package struct Change: Hashable, Sendable {
        package var name: DisplayName??
        package var curve: PanelCurve??
        package var position: Position??

        package init(name: DisplayName?? = nil, curve: PanelCurve?? = nil, position: Position?? = nil) {
            (self.name, self.curve, self.position) = (name, curve, position)
        }
    }

    package struct Position: Hashable, Sendable {
        package static let last = 10_000

        package let number: Int

        /// Returns `nil` unless the number is in `1...last`.
        package init?(_ number: Int) {
            guard (1...Self.last).contains(number) else { return nil }
            self.number = number
        }
    }
}

/// The name of a display in a person's own words. Two displays may have the same one.
package struct DisplayName: Hashable, Sendable {
    package let text: String

    /// Returns `nil` unless `isFreeName`.
    package init?(_ text: String) {
        guard text.isFreeName else { return nil }
        self.text = text
    }
}
