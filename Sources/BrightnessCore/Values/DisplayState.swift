// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// The kind of backend that controls a display.
package enum DisplayKind: String, CaseIterable, Hashable, Sendable {
    case backlight, led, ddc, simulated
    /// A television over HDMI-CEC.
    case tv
    /// A display that a client shows, such as a page.
    case provided
    /// A display that another daemon controls.
    case remote
}

/// The published state of a display: the payload of `Notification.state` and of every response.
package struct DisplayState: Hashable, Sendable {
    /// The summary of one kind of lease: of those that are not overridden; of all once all are overridden.
    package struct LeaseSummary: Hashable, Sendable {
        /// The highest requested brightness of boosts, limited by the cap; the lowest of dims; `nil` for wakes and
        /// sleeps.
        package private(set) var brightness: Brightness?
        package let count: Int
        /// The latest end of the leases; `nil` when one has no time limit.
        package let until: Timestamp?
        /// Whether a person changed the panel against all of them: they continue without effect.
        package let isOverridden: Bool
    }

    package struct Automatic: Hashable, Sendable {
        package let isEnabled: Bool
        /// The end of the hold after a person's change; `nil` while the display follows the light.
        package private(set) var heldUntil: Timestamp?
        /// The missing source while there is no light to follow; `nil` while it is off.
        package private(set) var waiting: Missing?

        package enum Missing: String, Hashable, Sendable {
            /// No light sensor has a good reading.
            case sensor
        }

        package static let off = Automatic(isEnabled: false)
    }

    /// The power of the panel, as it is and as people asked for it.
    package struct Power: Hashable, Sendable {
        /// Whether the panel is on; `nil` if that is not known.
        package let isOn: Bool?
        /// Whether people asked for it to be on.
        package let baseline: Bool
        /// Whether the panel can be switched off and on.
        package let isSwitchable: Bool
        /// Whether the system sends the panel a picture; `nil` if that is unknown.
        package let hasSignal: Bool?

        package init(isOn: Bool?, baseline: Bool, isSwitchable: Bool, hasSignal: Bool? = nil) {
            self.isOn = isOn
            self.baseline = baseline
            self.isSwitchable = isSwitchable
            self.hasSignal = hasSignal
        }

        /// The power of a panel that can be neither switched nor read.
        package static let unknown = Power(isOn: nil, baseline: true, isSwitchable: false)
    }

    /// A reason why the panel does not show what a client asked for.
    package enum Limit: String, Hashable, Sendable {
        case dim, wake, sleep
        /// The panel is off, and not by a lease.
        case power
        /// The panel is not off, and the system sends it no picture.
        case signal
        /// The device keeps another brightness than the written one, as a monitor's own menu may demand.
        case device
    }

    /// The number of writes of a panel that wears.
    package struct Writes: Hashable, Sendable {
        /// The writes on the day (UTC) of the last write.
        package let today: Int
        /// The maximum number of writes per day; further demands are rejected.
        package let budget: Int

        package init(today: Int, budget: Int) {
            self.today = today
            self.budget = budget
        }
    }

    /// The properties in one object that all copies share: the store, the hub, mailboxes and mirrors keep a state of
    /// each display.
    private final class Shared: Sendable {
        let properties: Properties
        let cause: Cause
        /// The text of a state with these properties.
        let text = Mutex<Text?>(nil)

        init(_ properties: Properties, _ cause: Cause) { (self.properties, self.cause) = (properties, cause) }
    }

    private final class Text: Sendable {
        let revision: Revision
        let bytes: [UInt8]

        init(_ bytes: [UInt8], of revision: Revision) {
            self.revision = revision
            self.bytes = bytes
        }
    }

    struct Properties: Hashable, Sendable {
        var id: DisplayID
        var name: String
        var kind: DisplayKind
        let range: BrightnessRange
        let brightness: Brightness
        let baseline: Brightness
        let step: Int
        let isDimmable: Bool
        var provider: Principal?
        var power: Power
        let leases: ByLeaseKind<LeaseSummary>
        var automatic: Automatic
        var unavailable: Unavailability?
        let writes: Writes?
        let tags: [DisplayTag]
        let position: DisplaySettings.Position?
        var leader: DisplayID?
    }

    private var shared: Shared
    package var revision: Revision

    package init(
        id: DisplayID,
        name: String,
        kind: DisplayKind,
        range: BrightnessRange,
        brightness: Brightness,
        baseline: Brightness,
        step: Int,
        isDimmable: Bool = true,
        provider: Principal? = nil,
        power: Power = .unknown,
        leases: ByLeaseKind<LeaseSummary> = [:],
        automatic: Automatic,
        unavailable: Unavailability? = nil,
        writes: Writes? = nil,
        cause: Cause,
        revision: Revision,
        tags: [DisplayTag] = [],
        position: DisplaySettings.Position? = nil,
        leader: DisplayID? = nil
    ) {
        let properties = Properties(
            id: id,
            name: name,
            kind: kind,
            range: range,
            brightness: brightness,
            baseline: baseline,
            step: step,
            isDimmable: isDimmable,
            provider: provider,
            power: power,
            leases: leases,
            automatic: automatic,
            unavailable: unavailable,
            writes: writes,
            tags: tags,
            position: position,
            leader: leader
        )
        self.init(properties, cause: cause, revision: revision)
    }

    init(_ properties: Properties, cause: Cause, revision: Revision) {
        shared = Shared(properties, cause)
        self.revision = revision
    }

    package static func == (left: DisplayState, right: DisplayState) -> Bool {
        left.revision == right.revision && left.isSame(as: right)
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(revision)
        hasher.combine(shared.properties)
        hasher.combine(shared.cause)
    }

    /// Whether both are equal except for their revisions.
    func isSame(as other: DisplayState) -> Bool { !differs(from: other) && shared.cause == other.shared.cause }

    /// Whether a property differs, other than the cause and the revision.
    func differs(from other: DisplayState) -> Bool {
        shared !== other.shared && shared.properties != other.shared.properties
    }

    /// Returns the state of another daemon's display, as this daemon publishes it.
    ///
    /// - Parameters:
    ///   - principal: The principal of the cause, as this daemon names it.
    ///   - leader: The id here of the display that it follows.
    package func mirrored(as id: DisplayID, named name: String, principal: Principal?, leader: DisplayID?)
        -> DisplayState
    {
        var (state, properties) = (self, shared.properties)
        (properties.id, properties.name, properties.kind, properties.provider) = (id, name, .remote, nil)
        properties.leader = leader
        let cause = Cause(cause.kind, by: cause.by, principal: principal, reason: cause.reason, at: cause.at)
        state.shared = Shared(properties, cause)
        return state
    }

    /// Returns the text of the state, which all copies share: each change is encoded once for responses, shards and the
    /// broker. Any thread; of several that are first, one provides the text.
    package func text(_ encode: (DisplayState) -> [UInt8]) -> [UInt8] {
        if let text = shared.text.withLock({ $0 }), text.revision == revision { return text.bytes }
        let bytes = encode(self)
        // Kept for the first revision, with which the state is published.
        shared.text.withLock { $0 = $0 ?? Text(bytes, of: revision) }
        return bytes
    }

    var properties: Properties { shared.properties }

    /// Replaces the shared object by a changed copy.
    private mutating func change(_ body: (inout Properties) -> Void) {
        var properties = shared.properties
        body(&properties)
        shared = Shared(properties, cause)
    }

    package var id: DisplayID { shared.properties.id }
    package var name: String { shared.properties.name }
    package var kind: DisplayKind { shared.properties.kind }
    package var range: BrightnessRange { shared.properties.range }

    /// The effective brightness: the target that is written to the panel.
    package var brightness: Brightness { shared.properties.brightness }

    /// The requested brightness, restored when the last boost and dim ends.
    package var baseline: Brightness { shared.properties.baseline }

    /// The panel's own step for `brightness`, in `0...range.maximum`: the target of a transition.
    package var step: Int { shared.properties.step }

    /// Whether it has a brightness to set. One without is always at 1.
    package var isDimmable: Bool { shared.properties.isDimmable }

    /// The principal of the client that shows it; `nil` for a display of the machine, and for a mirrored one.
    package var provider: Principal? { shared.properties.provider }

    package var power: Power {
        get { shared.properties.power }
        set { change { $0.power = newValue } }
    }

    package var boost: LeaseSummary? { leases(of: .boost) }
    package var dim: LeaseSummary? { leases(of: .dim) }
    package var wake: LeaseSummary? { leases(of: .wake) }
    package var sleep: LeaseSummary? { leases(of: .sleep) }

    package func leases(of kind: LeaseKind) -> LeaseSummary? { shared.properties.leases[kind] }

    package var automatic: Automatic {
        get { shared.properties.automatic }
        set { change { $0.automatic = newValue } }
    }

    /// `nil` unless the panel is unplugged, asleep or rejects a pending write, or its machine is offline. A panel that
    /// is switched off is available.
    package var unavailable: Unavailability? {
        get { shared.properties.unavailable }
        set { change { $0.unavailable = newValue } }
    }

    package var isAvailable: Bool { unavailable == nil }

    /// `nil` for panels that do not wear.
    package var writes: Writes? { shared.properties.writes }

    package var cause: Cause {
        get { shared.cause }
        set { shared = Shared(shared.properties, newValue) }
    }

    /// The cause of what this state reports: `cause`, unless the display became unavailable since.
    package var latestCause: Cause {
        guard let since = unavailable?.since, since > cause.at else { return cause }
        return Cause(.lost, at: since)
    }

    /// The words that its machine gives its displays, at most `DisplayTag.limit`.
    package var tags: [DisplayTag] { shared.properties.tags }

    /// The position on a page that somebody chose; `nil` for none.
    package var position: DisplaySettings.Position? { shared.properties.position }

    /// The display that it follows; `nil` for none.
    package var leader: DisplayID? { shared.properties.leader }

    /// The reasons why the panel does not show what the baseline and the boosts ask for.
    package var limits: [Limit] {
        var limits: [Limit] = []
        let raised = max(baseline, boost.flatMap { $0.isOverridden ? nil : $0.brightness } ?? baseline)
        let dimmed = dim.flatMap { $0.isOverridden ? nil : $0.brightness }.map { min($0, raised) } ?? raised
        if dimmed < raised { limits.append(.dim) }
        if brightness != dimmed { limits.append(.device) }
        if power.isOn == false {
            limits.append(sleep.map { !$0.isOverridden } ?? false ? .sleep : .power)
        } else if power.hasSignal == false {
            limits.append(.signal)
        }
        return limits
    }

    /// The reasons why a lease of this kind does not have its full effect.
    package func limits(on kind: LeaseKind) -> [Limit] {
        switch kind.demand {
        case .atLeast: limits
        case .atMost: []
        case .on: limits.contains(.signal) ? [.signal] : []
        case .off: wake.map { !$0.isOverridden } ?? false ? [.wake] : []
        }
    }
}

/// The time since when a display is unavailable.
package struct Unavailability: Hashable, Sendable {
    package let since: Timestamp
    /// Whether it began at `since` or earlier: it was noticed then, and nobody observed its beginning.
    package let isAtLatest: Bool
    /// Whether the display only waits for a client that provides it. For the health of this machine; not published.
    package let isAbandoned: Bool

    package init(since: Timestamp, isAtLatest: Bool = false, isAbandoned: Bool = false) {
        (self.since, self.isAtLatest, self.isAbandoned) = (since, isAtLatest, isAbandoned)
    }

    /// Returns the one that began first, of a display that is unavailable for two reasons.
    package static func earlier(_ one: Unavailability?, _ other: Unavailability) -> Unavailability {
        one.map { $0.since <= other.since ? $0 : other } ?? other
    }
}
