// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import Glibc
package import Support

/// The server of ESPHome's native API, for Home Assistant without a broker.
///
/// ```
///   wake ──eventfd──► its thread: poll(listening socket, clients, eventfd) ──► Connection ──► ESPHomeBridge
/// ```
///
/// One thread owns the sockets and the bridge, so they need no locks, and no client waits for a shard. Few clients
/// connect: a house has one Home Assistant.
package final class ESPHomeServer: Sendable {
    /// The maximum number of clients that are accepted in one turn.
    private static let acceptsPerTurn = 8
    /// The pause after the kernel had no descriptor left.
    private static let acceptPause: Duration = .seconds(1)
    /// The time limit of the last messages.
    private static let farewell: Duration = .seconds(1)

    private let socket: Int32
    private let key: ServerKey
    private let identity: Identity
    private let thread: LoopThread

    /// - Parameter socket: A listening socket, which the server owns from then on.
    package init(socket: Int32, key: ServerKey, identity: Identity) throws(ThreadError) {
        (self.socket, self.key, self.identity) = (socket, key, identity)
        thread = try LoopThread()
        key.observe { [thread] in thread.wake() }
    }

    /// Opens when every connection has ended.
    package var ended: Latch { thread.ended }

    /// Starts the thread. Call it once.
    ///
    /// - Parameter bridge: Creates the bridge on the server's thread, where alone it is used.
    package func start(_ bridge: @escaping @Sendable () -> ESPHomeBridge) throws(ThreadError) {
        try thread.start(named: "esphome") {
            var loop = Loop(self, bridge())
            loop.run()
        }
    }

    /// Wakes the thread. Any thread, never blocks.
    package func wake() { thread.wake() }

    /// Sends the last states and ends the connections; then `ended` opens. Returns at once.
    package func stop() { thread.stop() }

    private struct Loop {
        let server: ESPHomeServer
        let bridge: ESPHomeBridge
        private var connections: [Connection] = []
        /// When to accept clients again, after the kernel had no descriptor left.
        private var acceptAgain: Instant?
        private var lastClient: UInt64 = 0
        private var pushGrace = PushGrace()
        private var key: HomeAssistantKey
        private var health: ClientCounts
        private var limits = ClientLimits()

        init(_ server: ESPHomeServer, _ bridge: ESPHomeBridge) {
            self.server = server
            self.bridge = bridge
            key = server.key.state(at: bridge.now).key
            health = ClientCounts(key, at: bridge.address)
        }

        mutating func run() {
            while !server.thread.isStopping { turn(atMost: .seconds(60), accepts: true) }
            close(server.socket)
            publish(at: bridge.now)
            for connection in connections {
                connection.change { $0.leave() }
                connection.process(bridge, at: bridge.now)
            }
            var countdown = Countdown(ESPHomeServer.farewell)
            while connections.contains(where: { !$0.isOver }), !countdown.isOver {
                let start = ContinuousClock.now
                turn(atMost: countdown.wait, accepts: false)
                countdown.spend(ContinuousClock.now - start)
            }
            connections = []
            bridge.end()
        }

        private mutating func turn(atMost limit: Duration, accepts: Bool) {
            let ready = wait(atMost: limit, accepts: accepts)
            let now = bridge.now
            for (connection, events) in zip(connections, ready.connections) {
                if events & ~Int16(POLLOUT) != 0 { connection.read(bridge, at: now) }
                if events & Int16(POLLOUT) != 0 { connection.process(bridge, at: now) }
            }
            if ready.isAcceptable { accept(at: now) }
            publish(at: now)
            for connection in connections { connection.runDeadline(bridge, at: now) }
            dropOutdated(at: now)
            health.count(connections, key, bridge, at: now)
            connections.removeAll { $0.isOver }
            if !connections.contains(where: { $0.session.isGreeted && !$0.session.isOver }) { bridge.end() }
            let isPushing = connections.contains(where: \.session.isPushing)
            if pushGrace.update(isPushing: isPushing, at: now) { bridge.forgetPushed() }
        }

        /// Ends the connections that were admitted before a change of the key or its window.
        private mutating func dropOutdated(at now: Instant) {
            let current = server.key.state(at: now).key
            guard current != key else { return }
            key = current
            if key == .awaited { bridge.log(.key, "a client may set the key now") }
            if key == .none { bridge.log(.key, "no client may set the key any more") }
            let serverKey = server.key
            // One that was accepted after the change stays.
            func isOutdated(_ connection: Connection) -> Bool {
                serverKey.admission(isLocal: connection.peer.isLocal, at: now) != connection.session.admission
            }
            // These clients were not refused, and there is nothing to send to them.
            connections.removeAll { $0.isOpen && !$0.session.isGreeted && isOutdated($0) }
            for connection in connections where isOutdated(connection) {
                connection.change { $0.leave() }
                connection.process(bridge, at: now)
            }
        }

        /// Hands on what the hub has posted.
        private func publish(at now: Instant) {
            let changes = bridge.drain()
            guard changes != ESPHomeBridge.Changes() else { return }
            for connection in connections {
                connection.change { session in
                    if changes.isNewTable { session.replaceTable() }
                    session.update(changes.indices)
                    session.add(changes.events)
                    for result in changes.results where result.client == session.id {
                        session.finishCall(result.message)
                    }
                }
                connection.process(bridge, at: now)
            }
        }

        private func wait(atMost limit: Duration, accepts: Bool) -> (connections: [Int16], isAcceptable: Bool) {
            let now = bridge.now
            let mayAccept = accepts && acceptAgain.map { $0 <= now } ?? true
            var items = [
                pollfd(fd: server.thread.wakeDescriptor.descriptor, events: Int16(POLLIN), revents: 0),
                pollfd(fd: mayAccept ? server.socket : -1, events: Int16(POLLIN), revents: 0),
            ]
            items += connections.map { pollfd(fd: $0.socket, events: Int16($0.interest), revents: 0) }
            let windowEnd = server.key.state(at: now).left.map { now + $0 }
            let deadlines =
                connections.map(\.deadline)
                + [bridge.deadline, health.deadline, pushGrace.end, windowEnd].compactMap { $0 }
                + (mayAccept || !accepts ? [] : [acceptAgain].compactMap { $0 })
            let left = min(limit, max(.zero, (deadlines.min() ?? now + limit) - now))
            poll(&items, nfds_t(items.count), Int32((left / .milliseconds(1)).rounded(.up)))
            if items[0].revents != 0 { server.thread.wakeDescriptor.silence() }
            return (items.dropFirst(2).map(\.revents), items[1].revents != 0)
        }

        private mutating func accept(at now: Instant) {
            acceptAgain = nil
            for _ in 0..<ESPHomeServer.acceptsPerTurn {
                guard let (socket, peer) = PeerAddress.accept(server.socket) else {
                    if errno == EMFILE || errno == ENFILE { acceptAgain = now + ESPHomeServer.acceptPause }
                    return
                }
                let clients = connections.map {
                    ClientLimits.Client(network: $0.peer.network, isStranger: !$0.session.isGreeted || !$0.isOpen)
                }
                let decision = limits.decide(on: peer.network, among: clients, at: now)
                guard decision != .reject, decision != .tooManyConnects else {
                    close(socket)
                    if decision == .tooManyConnects { health.refuse(peer, "it connects too often", bridge) }
                    continue
                }
                guard let admission = server.key.admission(isLocal: peer.isLocal, at: now) else {
                    close(socket)
                    let advice =
                        "there is no key. Allow pairing on the dashboard, or add --esphome-key-file"
                    health.refuse(peer, advice, bridge)
                    continue
                }
                if case .replacing(let index) = decision { health.remove(connections.remove(at: index)) }
                let transport = Transport(admission, server.identity)
                lastClient += 1
                let session = ClientSession(id: lastClient, of: peer.text, admission)
                connections.append(Connection(socket, of: peer, session, transport, at: now))
            }
        }
    }
}
