// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import MQTT

/// What the broker retains of other daemons' displays, within limits. Rules only; time is an argument.
///
/// - A display is shown once its state has come; of two with one id here, from two prefixes, the first one.
/// - The connection ends: every daemon is absent, and nothing is confirmed.
/// - The connection is back: what the broker does not send again is forgotten, `grace` after the daemon was heard of, or
///   `absenceGrace` if it was not. Leases that came before a state, which did not follow, are forgotten likewise.
struct MirroredDisplays {
    /// How many displays, and how many nodes, are kept.
    static let limit = 4_096
    /// How many leases are kept of all displays together; they are some 400 bytes each.
    static let leaseLimit = 16_384
    /// How long a broker may take for what it retains of a daemon.
    static let grace: Duration = .seconds(5)
    /// How long a daemon may take to be back after a broker that lost what it retained.
    static let absenceGrace: Duration = Backoff.longest * 2

    struct Key: Hashable {
        let node: Topics
        /// What its daemon calls it.
        let name: DisplayID

        /// What it is called here; `nil` if that is too long for an id.
        var id: DisplayID? { DisplayID("\(node.node):\(name)") }
    }

    /// What is to be done, about displays by their ids here.
    enum Change: Hashable {
        case show(DisplayID)
        case withdraw(DisplayID)
        case report(Refusal)
    }

    enum Refusal: Hashable {
        case tooManyDisplays, tooManyNodes, tooManyLeases
        /// A display of another prefix has the id.
        case shownElsewhere(prefix: String)
    }

    private struct Display {
        let id: DisplayID
        var state: DisplayState?
        var leases: [Lease] = []
        /// Whether the broker has sent them since the connection began.
        var hasState = false
        var hasLeases = false
    }

    private enum Presence: Hashable {
        /// It has not said yet whether it is there.
        case unknown
        case online
        case absent(since: Timestamp)
    }

    private struct Node {
        var presence = Presence.unknown
        var displays: Set<DisplayID> = []
        /// Whether anything of it has come since the connection began.
        var isHeard = false
        /// When what was not confirmed is forgotten.
        var sweep: Instant?

        /// An absent node without displays is as good as an unknown one.
        var isWorthKeeping: Bool { presence == .online || !displays.isEmpty || sweep != nil }
    }

    /// Every prefix whose nodes are mirrored.
    private let prefixes: [String]
    private var nodes: [Topics: Node] = [:]
    private var displays: [Key: Display] = [:]
    /// By the id here.
    private var shown: [DisplayID: Key] = [:]
    private(set) var leaseCount = 0
    /// No sweep is due before.
    private var nextSweep: Instant?

    init(prefixes: Set<String>) { self.prefixes = prefixes.sorted() }

    var count: Int { displays.count }
    var nodeCount: Int { nodes.count }

    func key(of id: DisplayID) -> Key? { shown[id] }

    func isOnline(_ node: Topics) -> Bool { nodes[node]?.presence == .online }

    /// Who holds leases of a display, as far as they have names.
    func holders(of key: Key) -> Set<BorrowedBoosts.Holder> {
        Set(displays[key]?.leases.compactMap { BorrowedBoosts.Holder($0) } ?? [])
    }

    /// The shown displays of a node, by their ids here.
    func shown(of node: Topics) -> [DisplayID] {
        (nodes[node]?.displays ?? []).compactMap { name in
            let key = Key(node: node, name: name)
            return displays[key].flatMap { shown[$0.id] == key ? $0.id : nil }
        }
    }

    /// The state of a shown display and its leases; not available unless its daemon is online.
    func state(of id: DisplayID) -> (state: DisplayState, leases: [Lease])? {
        guard let key = shown[id], let display = displays[key], var state = display.state else { return nil }
        switch nodes[key.node]?.presence {
        case .online: break
        case .absent(let since):
            state.isAvailable = false
            state.cause = Cause(.connected, at: since)
        case .unknown, nil:
            state.isAvailable = false
            state.cause = Cause(.connected, at: state.cause.at)
        }
        return (state, display.leases)
    }

    // MARK: What the broker sends

    /// Takes note that a daemon is online, or is not.
    mutating func receive(isOnline: Bool, of node: Topics, isRetained: Bool, at now: Moment) -> [Change] {
        guard isOnline || nodes[node] != nil else { return [] }
        guard admit(node) else { return [.report(.tooManyNodes)] }
        heard(of: node, isRetained, at: now)
        let before = nodes[node]?.presence
        switch (isOnline, before) {
        case (true, _): nodes[node]?.presence = .online
        case (false, .absent): break
        case (false, _): nodes[node]?.presence = .absent(since: now.wall)
        }
        let changes = nodes[node]?.presence == before ? [] : shown(of: node).map { Change.show($0) }
        dropIfEmpty(node)
        return changes
    }

    mutating func receive(
        _ state: DisplayState,
        of key: Key,
        isRetained: Bool,
        at now: Moment
    ) -> [Change] {
        if let refusal = admit(key, as: state.id, isRetained, at: now) { return [.report(refusal)] }
        displays[key]?.state = state
        displays[key]?.hasState = true
        let other = shown[state.id] ?? key
        guard other == key else { return [.report(.shownElsewhere(prefix: other.node.prefix))] }
        shown[state.id] = key
        return [.show(state.id)]
    }

    /// Takes note of a display's leases, also before its state: nothing says in which order they come.
    mutating func receive(
        _ leases: [Lease],
        of key: Key,
        as id: DisplayID,
        isRetained: Bool,
        at now: Moment
    ) -> [Change] {
        guard !leases.isEmpty || displays[key] != nil else { return [] }
        if let refusal = admit(key, as: id, isRetained, at: now) { return [.report(refusal)] }
        let others = leaseCount - (displays[key]?.leases.count ?? 0)
        let isTooMany = others + leases.count > Self.leaseLimit
        let kept = isTooMany ? [] : leases
        leaseCount = others + kept.count
        displays[key]?.leases = kept
        displays[key]?.hasLeases = true
        return (isTooMany ? [.report(.tooManyLeases)] : []) + (shown[id] == key ? [.show(id)] : [])
    }

    /// The broker retains no state of it any more.
    mutating func remove(_ key: Key) -> [Change] {
        guard let display = displays.removeValue(forKey: key) else { return [] }
        leaseCount -= display.leases.count
        nodes[key.node]?.displays.remove(key.name)
        dropIfEmpty(key.node)
        guard shown[display.id] == key else { return [] }
        let others = prefixes.lazy.map { Key(node: Topics(prefix: $0, node: key.node.node), name: key.name) }
        let next = others.first { displays[$0]?.state != nil }
        shown[display.id] = next
        return [next == nil ? .withdraw(display.id) : .show(display.id)]
    }

    // MARK: The connection

    /// The broker is gone, and with it all that is known of who is there.
    mutating func disconnected(at now: Moment) -> [Change] {
        var changes: [Change] = []
        for (node, known) in nodes {
            nodes[node]?.sweep = nil
            nodes[node]?.isHeard = false
            if known.presence == .online {
                nodes[node]?.presence = .absent(since: now.wall)
                changes += shown(of: node).map { .show($0) }
            }
            dropIfEmpty(node)
        }
        for key in displays.keys {
            displays[key]?.hasState = false
            displays[key]?.hasLeases = false
        }
        return changes
    }

    /// The broker is back. Some of what it retains may have come already.
    mutating func connected(at now: Moment) {
        for (node, known) in nodes {
            setSweep(of: node, at: now.instant + (known.isHeard ? Self.grace : Self.absenceGrace))
        }
    }

    /// Forgets what the broker has not sent again in time.
    mutating func sweep(at now: Moment) -> [Change] {
        guard let nextSweep, nextSweep <= now.instant else { return [] }
        self.nextSweep = nil
        var changes: [Change] = []
        for (node, known) in nodes {
            guard let due = known.sweep else { continue }
            guard due <= now.instant else {
                setSweep(of: node, at: due)
                continue
            }
            nodes[node]?.sweep = nil
            for name in known.displays {
                let key = Key(node: node, name: name)
                guard let display = displays[key] else { continue }
                if !display.hasState {
                    changes += remove(key)
                } else if !display.hasLeases, !display.leases.isEmpty {
                    leaseCount -= display.leases.count
                    displays[key]?.leases = []
                    if shown[display.id] == key { changes.append(.show(display.id)) }
                }
            }
            dropIfEmpty(node)
        }
        return changes
    }

    // MARK: Limits

    /// Returns whether there is a place for the node.
    private mutating func admit(_ node: Topics) -> Bool {
        if nodes[node] != nil { return true }
        guard nodes.count < Self.limit else { return false }
        nodes[node] = Node()
        return true
    }

    private mutating func admit(_ key: Key, as id: DisplayID, _ isRetained: Bool, at now: Moment) -> Refusal? {
        if displays[key] == nil {
            guard displays.count < Self.limit else { return .tooManyDisplays }
            guard admit(key.node) else { return .tooManyNodes }
            displays[key] = Display(id: id)
            nodes[key.node]?.displays.insert(key.name)
            // A state must follow.
            if nodes[key.node]?.sweep == nil { setSweep(of: key.node, at: now.instant + Self.grace) }
        }
        heard(of: key.node, isRetained, at: now)
        return nil
    }

    /// What the broker retains comes in one go: the first message means that the others are on their way.
    private mutating func heard(of node: Topics, _ isRetained: Bool, at now: Moment) {
        let isFirst = nodes[node]?.isHeard == false
        nodes[node]?.isHeard = true
        guard nodes[node]?.sweep != nil, isFirst || isRetained else { return }
        setSweep(of: node, at: now.instant + Self.grace)
    }

    private mutating func setSweep(of node: Topics, at instant: Instant) {
        nodes[node]?.sweep = instant
        nextSweep = min(nextSweep ?? instant, instant)
    }

    private mutating func dropIfEmpty(_ node: Topics) {
        if nodes[node]?.isWorthKeeping == false { nodes[node] = nil }
    }
}
