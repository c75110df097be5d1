// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import MQTT
import Support

/// The retained states and leases of other daemons' displays, within limits. Rules only; time is an argument.
///
/// - A display is shown once its state has arrived; of two with the same id, from two prefixes, the first one.
/// - When the connection ends, every daemon is absent and nothing is confirmed.
/// - When the connection returns, a sweep forgets the facts that the broker has not sent again, and leases without a
///   state. It comes `grace` after the daemon's first message, or after `absenceGrace` without one; but no earlier than
///   `grace` after the last retained message of any daemon.
struct MirroredDisplays {
    /// The maximum time between two retained messages of a connection.
    static let grace: Duration = .seconds(5)
    /// The maximum time for a daemon to reconnect to a broker that lost its retained messages.
    static let absenceGrace: Duration = Backoff.longest * 2

    /// The minimum time between two sweeps.
    private static let sweepInterval: Duration = .milliseconds(250)

    struct Key: Hashable {
        let node: Topics
        /// The id at its node.
        let name: DisplayID

        /// The id here; `nil` if it is too long.
        var id: DisplayID? { DisplayID("\(node.node):\(name)") }
    }

    /// An effect for the caller to perform, with ids of this daemon.
    enum Change: Hashable {
        case show(DisplayID)
        case withdraw(DisplayID)
        case report(Refusal)
    }

    enum Refusal: Hashable {
        case tooManyDisplays, tooManyNodes, tooManyLeases
        /// A display of another prefix has this id.
        case shownElsewhere(prefix: String)
    }

    /// The maximum number of displays, and of nodes.
    let limit: Int
    /// The maximum number of leases of all displays together, about 400 bytes each.
    var leaseLimit: Int { 4 * limit }
    private let prefixes: [String]
    private var nodes: [Topics: Node] = [:]
    private var displays: [Key: Display] = [:]
    /// The shown displays, by their ids here.
    private var shown: [DisplayID: Key] = [:]
    private(set) var leaseCount = 0
    /// The time of the next `sweep`: when the first node is due, or later, so that sweeps keep their distance.
    private var nextSweep: Instant?
    /// The time when the last retained message of this connection arrived. The broker sends those of all nodes one
    /// after the other, and a slow link delays them.
    private var lastRetained: Instant?
    /// Both clocks before the wall clock was last set.
    private var clocks: Moment?

    init(prefixes: Set<String>, limit: Int) {
        self.prefixes = prefixes.sorted()
        self.limit = limit
    }

    var count: Int { displays.count }
    var nodeCount: Int { nodes.count }

    func key(of id: DisplayID) -> Key? { shown[id] }

    func isOnline(_ node: Topics) -> Bool { nodes[node]?.status.isOnline ?? false }

    /// Every known node.
    var allNodes: some Sequence<Topics> { nodes.keys }

    func state(of node: Topics) -> NodeState? {
        guard let known = nodes[node] else { return nil }
        return NodeState(
            name: node.node.text,
            topic: node.root,
            version: known.capabilities?.version,
            isOnline: known.isStatusConfirmed ? known.status.isOnline : nil,
            since: known.status.since.wall
        )
    }

    func holders(of key: Key) -> Set<RenewedLeases.Holder> {
        Set(displays[key]?.leases.compactMap { RenewedLeases.Holder($0) } ?? [])
    }

    /// The ids here of a node's shown displays.
    func shown(of node: Topics) -> [DisplayID] {
        (nodes[node]?.displays ?? []).compactMap { name in
            let key = Key(node: node, name: name)
            return displays[key].flatMap { shown[$0.id] == key ? $0.id : nil }
        }
    }

    /// Returns the commands that the node of a shown display supports: all, until it reports fewer.
    func capabilities(of id: DisplayID) -> NodeCapabilities {
        shown[id].flatMap { nodes[$0.node]?.capabilities } ?? .current
    }

    /// The node's own tag of a shown display's state, `EPOCH-REVISION`; `nil` if it is not known.
    func tag(of id: DisplayID) -> String? {
        guard let key = shown[id], let epoch = nodes[key.node]?.capabilities?.epoch,
            let revision = displays[key]?.state?.revision, revision != Revision(0)
        else { return nil }
        return "\(epoch)-\(revision.number)"
    }

    /// Forgets the revisions of a node's earlier run, which its new run does not know.
    private mutating func forgetRevisions(of node: Topics) {
        for name in nodes[node]?.displays ?? [] {
            displays[Key(node: node, name: name)]?.state?.revision = Revision(0)
        }
    }

    /// Returns the state and leases of a shown display, which is unavailable unless its node is online. Its cause stays
    /// the one that its node reported last.
    ///
    /// - Returns: `areCurrent` is `areLeasesCurrent(of:)`.
    func state(of id: DisplayID) -> (state: DisplayState, leases: [Lease], areCurrent: Bool)? {
        guard let key = shown[id], let display = displays[key], var state = display.state,
            let status = nodes[key.node]?.status
        else { return nil }
        if let absence = status.unavailability { state.unavailable = .earlier(state.unavailable, absence) }
        return (state, display.leases, areLeasesCurrent(of: key))
    }

    /// Whether the node reports the display's leases, and would report the end of one.
    func areLeasesCurrent(of key: Key) -> Bool { isOnline(key.node) && displays[key]?.areLeasesCurrent == true }

    private mutating func markLeasesOld(of node: Topics) {
        for name in nodes[node]?.displays ?? [] {
            displays[Key(node: node, name: name)]?.areLeasesCurrent = false
        }
    }

    /// Corrects the dates of absences after the wall clock was set. Other leases of absent nodes may be over then.
    mutating func correctWallTimes(at now: Moment) -> [Change] {
        let before = clocks ?? now
        guard before.corrected(at: now) != before else {
            clocks = before
            return []
        }
        clocks = now
        var changes: [Change] = []
        for (node, known) in nodes {
            nodes[node]?.status.since = known.status.since.corrected(at: now)
            if !known.status.isOnline { changes += shown(of: node).map { .show($0) } }
        }
        return changes
    }

    // MARK: Messages

    mutating func receive(isOnline: Bool, of node: Topics, isRetained: Bool, at now: Moment) -> [Change] {
        guard isOnline || nodes[node] != nil else { return [] }
        guard admit(node, at: now) else { return [.report(.tooManyNodes)] }
        recordMessage(of: node, isRetained, at: now)
        let before = nodes[node]?.status
        if let before, before.kind != (isOnline ? .online : .absent) {
            // A retained "offline" is older than the node's first message.
            let wasAbsent = before.kind == .unknown && !isOnline && isRetained
            nodes[node]?.status = NodeStatus(
                kind: isOnline ? .online : .absent,
                since: wasAbsent ? before.since : now,
                isAtLatest: !isOnline && isRetained
            )
        }
        nodes[node]?.isStatusConfirmed = true
        if before?.isOnline == true, !isOnline { markLeasesOld(of: node) }
        let changes = nodes[node]?.status == before ? [] : shown(of: node).map { Change.show($0) }
        dropIfEmpty(node)
        return changes
    }

    /// Records the commands that a node supports; `nil` for a node that deleted them.
    mutating func receive(_ new: NodeCapabilities?, of node: Topics, isRetained: Bool, at now: Moment) -> [Change] {
        guard new != nil || nodes[node] != nil else { return [] }
        guard admit(node, at: now) else { return [.report(.tooManyNodes)] }
        nodes[node]?.capabilities = new
        if let epoch = new?.epoch {
            if let earlier = nodes[node]?.epoch, earlier != epoch { forgetRevisions(of: node) }
            nodes[node]?.epoch = epoch
        }
        recordMessage(of: node, isRetained, at: now)
        // A display or a status must arrive before the sweep.
        if nodes[node]?.sweepDue == nil { setSweep(of: node, at: now.instant + Self.grace) }
        dropIfEmpty(node)
        return []
    }

    mutating func receive(_ state: DisplayState, of key: Key, isRetained: Bool, at now: Moment) -> [Change] {
        if let refusal = admit(key, as: state.id, isRetained, at: now) { return [.report(refusal)] }
        displays[key]?.receive(state)
        if let other = shown[state.id] {
            guard other == key else { return [.report(.shownElsewhere(prefix: other.node.prefix))] }
        } else {
            shown[state.id] = key
        }
        return [.show(state.id)]
    }

    /// Records a display's leases, also before its state: the order of the messages is not defined.
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
        let isTooMany = others + leases.count > leaseLimit
        let kept = isTooMany ? [] : leases
        leaseCount = others + kept.count
        displays[key]?.receive(kept)
        return (isTooMany ? [.report(.tooManyLeases)] : []) + (shown[id] == key ? [.show(id)] : [])
    }

    /// Forgets a display whose retained state was deleted.
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

    /// Marks every node absent after the connection ended.
    mutating func disconnected(at now: Moment) -> [Change] {
        var changes: [Change] = []
        lastRetained = nil
        for (node, known) in nodes {
            nodes[node]?.sweepDue = nil
            nodes[node]?.hasReported = false
            nodes[node]?.isStatusConfirmed = false
            if known.status.isOnline {
                nodes[node]?.status = NodeStatus(kind: .absent, since: now)
                changes += shown(of: node).map { .show($0) }
            }
            dropIfEmpty(node)
        }
        for key in displays.keys {
            displays[key]?.isStateConfirmed = false
            displays[key]?.areLeasesConfirmed = false
            displays[key]?.areLeasesCurrent = false
        }
        return changes
    }

    /// Schedules the sweep after a connection. Some retained messages may have arrived already.
    mutating func connected(at now: Moment) {
        for (node, known) in nodes {
            setSweep(of: node, at: now.instant + (known.hasReported ? Self.grace : Self.absenceGrace))
        }
    }

    /// Forgets the facts of due nodes that were not sent again in time.
    mutating func sweep(at now: Moment) -> [Change] {
        guard let nextSweep, nextSweep <= now.instant else { return [] }
        if let quiet = lastRetained.map({ $0 + Self.grace }), now.instant < quiet {
            self.nextSweep = quiet
            return []
        }
        // The nodes that are not due set it again.
        self.nextSweep = nil
        var changes: [Change] = []
        for (node, known) in nodes {
            guard let due = known.sweepDue else { continue }
            if due <= now.instant { changes += forgetUnconfirmed(of: node, known) } else { setSweep(of: node, at: due) }
        }
        // The nodes of a building are due one after the other, and each sweep visits all of them.
        if let next = self.nextSweep { self.nextSweep = max(next, now.instant + Self.sweepInterval) }
        return changes
    }

    private mutating func forgetUnconfirmed(of node: Topics, _ known: Node) -> [Change] {
        var changes: [Change] = []
        nodes[node]?.sweepDue = nil
        if known.displays.isEmpty, !known.status.isOnline { nodes[node]?.capabilities = nil }
        for name in known.displays {
            let key = Key(node: node, name: name)
            guard let display = displays[key] else { continue }
            if !display.isStateConfirmed {
                changes += remove(key)
            } else if !display.areLeasesConfirmed, !display.leases.isEmpty {
                leaseCount -= display.leases.count
                displays[key]?.leases = []
                if shown[display.id] == key { changes.append(.show(display.id)) }
            }
        }
        dropIfEmpty(node)
        return changes
    }

    // MARK: Limits

    /// Returns whether the limit allows the node.
    private mutating func admit(_ node: Topics, at now: Moment) -> Bool {
        if nodes[node] != nil { return true }
        guard nodes.count < limit else { return false }
        nodes[node] = Node(status: NodeStatus(kind: .unknown, since: now, isAtLatest: true))
        return true
    }

    private mutating func admit(_ key: Key, as id: DisplayID, _ isRetained: Bool, at now: Moment) -> Refusal? {
        if displays[key] == nil {
            guard displays.count < limit else { return .tooManyDisplays }
            guard admit(key.node, at: now) else { return .tooManyNodes }
            displays[key] = Display(id: id)
            nodes[key.node]?.displays.insert(key.name)
            // Its state must arrive before the sweep.
            if nodes[key.node]?.sweepDue == nil { setSweep(of: key.node, at: now.instant + Self.grace) }
        }
        recordMessage(of: key.node, isRetained, at: now)
        return nil
    }

    private mutating func recordMessage(of node: Topics, _ isRetained: Bool, at now: Moment) {
        if isRetained { lastRetained = now.instant }
        guard nodes[node]?.hasReported == false else { return }
        nodes[node]?.hasReported = true
        // After the first message the others follow soon, so the sweep comes earlier.
        if nodes[node]?.sweepDue != nil { setSweep(of: node, at: now.instant + Self.grace) }
    }

    private mutating func setSweep(of node: Topics, at instant: Instant) {
        nodes[node]?.sweepDue = instant
        nextSweep = min(nextSweep ?? instant, instant)
    }

    private mutating func dropIfEmpty(_ node: Topics) {
        if nodes[node]?.isWorthKeeping == false { nodes[node] = nil }
    }
}
