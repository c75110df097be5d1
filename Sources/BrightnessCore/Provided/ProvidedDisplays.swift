// SPDX-License-Identifier: Apache-2.0

/// A display that a client provides, as the client describes it.
package struct ProvidedDisplay: Hashable, Sendable {
    /// The largest `maximum`. In practice no backlight of the kernel has more.
    package static let largestMaximum = 65_535
    /// The maximum number of displays of all clients together.
    package static let limit = 64
    /// The maximum number of displays of one principal.
    package static let principalLimit = 16
    /// How long a display outlasts its provider.
    package static let keptWithoutProvider: Duration = .seconds(86_400)

    package let id: DisplayID
    package let name: String
    /// The number of the brightest step; the darkest is 0. `nil` for a display that cannot be dimmed.
    package let maximum: Int?
    package let isSwitchable: Bool
    package let brightness: Brightness
    package let isOn: Bool

    package init(
        _ id: DisplayID,
        name: String,
        maximum: Int?,
        isSwitchable: Bool,
        brightness: Brightness,
        isOn: Bool = true
    ) {
        (self.id, self.name, self.maximum, self.isSwitchable) = (id, name, maximum, isSwitchable)
        (self.brightness, self.isOn) = (brightness, isOn)
    }
}

/// The persisted description of a display that a client provides, part of its `DisplayRecord`.
package struct ProvidedRecord: Hashable, Sendable {
    package let name: String
    package let isDimmable: Bool
    package let isSwitchable: Bool
    /// The principal of the client, which alone may continue the display.
    package let principal: Principal
    /// Since when it has no client; `nil` while it has one.
    package private(set) var goneSince: Timestamp?
}

/// The brightness and power that a provider has to show.
package struct ProvidedTarget: Hashable, Sendable {
    package let brightness: Brightness
    package let step: Int
    package let isOn: Bool

    package init(brightness: Brightness, step: Int, isOn: Bool) {
        (self.brightness, self.step, self.isOn) = (brightness, step, isOn)
    }
}

/// A client that provides displays, such as one WebSocket. Any thread; nothing blocks.
package protocol DisplayProvider: AnyObject, Sendable {
    /// Whether it will answer no more.
    var isGone: Bool { get }

    /// Asks the client to show a target. One call at a time for a display.
    ///
    /// - Parameter completion: Called once, with `false` if the client refuses or is gone.
    func apply(_ target: ProvidedTarget, to id: DisplayID, completion: @escaping @Sendable (_ isDone: Bool) -> Void)

    /// Reports that another client of the same principal provides the display now, or has withdrawn it, or that a
    /// device of the machine with its id has come.
    func withdrawn(_ id: DisplayID)
}

/// The displays that clients provide. Any thread; nothing blocks.
package protocol ProvidedDisplays: Sendable {
    /// Adds a display. If this principal provides it already, `provider` takes over: baseline, leases and cause stay,
    /// and the daemon's target is applied, also with another name or maximum. If it can be dimmed or switched
    /// and could not be before, or the reverse, it is removed and added again.
    ///
    /// - Parameter completion: Called once with the state as it is then.
    func provide(
        _ display: ProvidedDisplay,
        by provider: any DisplayProvider,
        of principal: Principal,
        at now: Moment,
        completion: @escaping @Sendable (Result<DisplayState, ProvidingError>) -> Void
    )

    /// Reports that a person changed the display itself. A value is `nil` if it did not change.
    ///
    /// - Throws: `.unknown`, `.notDimmable` or `.notSwitchable`.
    func changed(
        _ id: DisplayID,
        brightness: Brightness?,
        isOn: Bool?,
        by provider: any DisplayProvider
    ) throws(ProvidingError)

    /// Removes a display with its leases.
    ///
    /// - Parameters:
    ///   - provider: The client that withdraws it, if it provides displays. Another one that provides it is notified.
    ///   - completion: Called once it is gone.
    func withdraw(
        _ id: DisplayID,
        of principal: Principal,
        by provider: (any DisplayProvider)?,
        at now: Moment,
        completion: @escaping @Sendable () -> Void
    ) throws(ProvidingError)

    /// Reports that a provider is gone. Its displays are not available until another provider of their principal
    /// provides them, and are removed after `keptWithoutProvider`.
    func ended(_ provider: any DisplayProvider, at now: Moment)
}

package enum ProvidingError: Error, Hashable, Sendable {
    /// The machine serves or mirrors a display with this id, or another principal provides it, or the machine knows
    /// one that is not there now.
    case taken(DisplayID)
    /// The other part of the display's pair cannot be read.
    case unavailable(DisplayID)
    case tooMany
    /// The principal provides `ProvidedDisplay.principalLimit` displays.
    case tooManyOfPrincipal
    /// The provider or principal does not provide this display.
    case unknown(DisplayID)
    case notDimmable(DisplayID)
    /// The display cannot be switched, so it is always on.
    case notSwitchable(DisplayID)
}
