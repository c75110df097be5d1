// SPDX-License-Identifier: Apache-2.0
import Glibc
package import Support

/// A connection to the broker that reconnects whenever it is lost. It uses MQTT 5, or 3.1.1 if the broker lacks 5.
///
/// ```
///   wake ──eventfd──► its thread: poll(socket, eventfd) ──► libmosquitto ──► MQTTSessionDelegate
/// ```
///
/// One thread owns libmosquitto and the delegate, so they need no locks. Only this thread blocks, for example while a
/// broker does not answer. libmosquitto's own loop is not used: it waits by `select`, which fails when the daemon has
/// thousands of descriptors.
///
/// At most `window` messages are in flight. The delegate holds the others, and keeps only the newest of each topic.
package final class MQTTConnection: Sendable {
    package struct Settings: Sendable {
        var url: BrokerURL
        var password: String?
        /// CA certificates (PEM) used to verify the broker; `nil` for the system's.
        var authorityFile: String?
        /// The client id, always the same for a daemon. So the broker ends the daemon's previous connection and
        /// publishes its last will before new messages.
        var clientID: String
        /// The last will, which the broker publishes if the connection ends without a disconnect.
        var will: Publication

        package init(
            url: BrokerURL,
            password: String? = nil,
            authorityFile: String? = nil,
            clientID: String,
            will: Publication
        ) {
            self.url = url
            self.password = password
            self.authorityFile = authorityFile
            self.clientID = clientID
            self.will = will
        }
    }

    /// The keep-alive interval. After one and a half times this, the broker publishes the last will.
    static let keepAliveSeconds: Int32 = 15
    /// The maximum number of messages in flight. Few, since a message that is not yet sent can be replaced by a newer
    /// one.
    static let window = 16
    /// The timeout of the broker's answers to the connection and to each subscription.
    private static let acceptTimeout: Duration = .seconds(10)
    /// The time limit of the last messages.
    private static let farewell: Duration = .seconds(1)
    /// The maximum time between two calls of libmosquitto, which checks its deadlines only when called.
    private static let heartbeat: Duration = .seconds(2)

    private let settings: Settings
    private let thread: LoopThread

    package init(_ settings: Settings) throws(ThreadError) {
        self.settings = settings
        thread = try LoopThread()
    }

    /// Opens when the disconnect is sent, or cannot be sent.
    package var ended: Latch { thread.ended }

    /// Starts the thread. Call it once.
    ///
    /// - Parameter delegate: Creates the delegate on the connection's thread, where alone it is used.
    package func start(_ delegate: @escaping @Sendable () -> any MQTTSessionDelegate) throws(ThreadError) {
        try thread.start(named: "mqtt") {
            var loop = SessionLoop(connection: self, delegate: delegate())
            loop.run()
        }
    }

    /// Wakes the thread. Any thread, never blocks. Further calls before the thread wakes cost one atomic exchange.
    package func wake() { thread.wake() }

    /// Publishes the remaining messages and disconnects; then `ended` opens. Returns at once.
    package func stop() { thread.stop() }

    /// The loop of the connection's thread.
    private struct SessionLoop {
        let connection: MQTTConnection
        let delegate: any MQTTSessionDelegate
        var backoff = Backoff()
        /// When the broker accepted the last attempt.
        var acceptedAt: ContinuousClock.Instant?

        private var isStopping: Bool { connection.thread.isStopping }

        private var longestWait: Duration { min(delegate.timeLeft ?? .seconds(60), MQTTConnection.heartbeat) }

        mutating func run() {
            while !isStopping {
                acceptedAt = nil
                let reason = runConnection()
                delegate.end(reason)
                if let acceptedAt { backoff.ended(after: ContinuousClock.now - acceptedAt) }
                pause(until: .now + backoff.next(random: .random(in: 0...1)))
            }
        }

        /// Waits, and lets the delegate drain its inbox.
        private func pause(until deadline: ContinuousClock.Instant) {
            while !isStopping {
                let left = deadline - .now
                guard left > .zero else { return }
                _ = wait(nil, for: min(left, longestWait))
                delegate.drainInbox()
            }
        }

        private mutating func runConnection() -> DisconnectReason {
            let reason = runConnection(in: .five)
            // Tried again each time, since a newer broker may have replaced the old one.
            return reason == .version && !isStopping ? runConnection(in: .three) : reason
        }

        /// Runs one connection, from the attempt to its end.
        private mutating func runConnection(in version: Session.Version) -> DisconnectReason {
            do throws(DisconnectReason) {
                let session = try Session(connection.settings, version)
                let code = session.connect(connection.settings)
                guard code == 0 else { throw failure(code, session) }
                try awaitAcceptance(session)
                acceptedAt = .now
                try talk(session)
                return .stopped
            } catch {
                return error
            }
        }

        /// Waits until the broker accepts the connection.
        private func awaitAcceptance(_ session: Session) throws(DisconnectReason) {
            let deadline = ContinuousClock.now + MQTTConnection.acceptTimeout
            while true {
                guard !isStopping else { throw .stopped }
                guard deadline > .now else { throw .silent }
                let end = runTurn(session, for: min(deadline - .now, MQTTConnection.heartbeat))
                // The broker's refusal is a better reason than the disconnect that follows it.
                for event in session.takeEvents() {
                    switch event {
                    case .accepted: return session.stopLogging()
                    case .refused(let code): throw refusal(code)
                    case .dismissed, .received, .oversized, .published, .subscribed: break
                    }
                }
                // libmosquitto 2.0.21 cannot read the refusal of a broker that has no MQTT 5.
                if end == .malformed, session.version == .five { throw .version }
                if let end { throw end }
                delegate.drainInbox()
            }
        }

        private func refusal(_ code: Int32) -> DisconnectReason {
            let user = connection.settings.url.user
            return switch MQTT5Reason(rawValue: code) {
            case .version: .version
            case .credentials: .credentials(user: user)
            case .forbidden: .forbidden(user: user)
            default: .otherRefusal(code: code, Session.text(of: code))
            }
        }

        /// Exchanges messages until the connection is lost or the daemon stops.
        private func talk(_ session: Session) throws(DisconnectReason) {
            // The topics of messages that the broker has not answered.
            var underWay: [Int32: String] = [:]
            var pacing = ReadPacing()
            var pause: Int32?
            try subscribe(session)
            while true {
                delegate.drainInbox()
                try fillWindow(session, &underWay)
                if isStopping { return farewell(session, underWay) }
                if let milliseconds = pause {
                    pause = nil
                    // There may be something to publish.
                    if connection.thread.wakeDescriptor.wait(atMost: milliseconds) { continue }
                }
                // Messages that arrived before the end of the connection are acknowledged already.
                let end = runTurn(session, for: longestWait)
                var (received, areLive) = (0, true)
                for event in session.takeEvents() {
                    switch event {
                    case .received(let publication):
                        delegate.receive(publication)
                        received += 1
                        areLive = areLive && !publication.isRetained
                    case .oversized(let topic, let bytes): delegate.missed(topic: topic, bytes: bytes)
                    case .published(let message, let code):
                        guard let topic = underWay.removeValue(forKey: message), code >= 0x80 else { break }
                        delegate.refused(.publishing(to: topic))
                    case .dismissed(let code) where end == nil: throw dismissal(code)
                    case .accepted, .refused, .subscribed, .dismissed: break
                    }
                }
                if let end { throw end }
                if received > 0 {
                    pause = pacing.pause(afterReading: received, areLive: areLive, at: .now)
                }
            }
        }

        /// Publishes messages up to the window. Messages that the broker rejects do not count.
        private func fillWindow(_ session: Session, _ underWay: inout [Int32: String]) throws(DisconnectReason) {
            var hasRejected: Bool
            repeat {
                hasRejected = false
                for publication in delegate.take(MQTTConnection.window - underWay.count) {
                    if let message = try publish(publication, session) {
                        underWay[message] = publication.topic
                    } else {
                        hasRejected = true
                    }
                }
            } while hasRejected
        }

        /// Returns the message's number; `nil` if the broker rejects it.
        private func publish(_ publication: Publication, _ session: Session) throws(DisconnectReason) -> Int32? {
            switch session.publish(publication) {
            case .underWay(let message): return message
            case .rejected(let why):
                delegate.refused(.message(to: publication.topic, why: why))
                return nil
            case .lost: throw .lost
            }
        }

        /// Subscribes, and waits until the broker has confirmed it. From then on no message is missed.
        private func subscribe(_ session: Session) throws(DisconnectReason) {
            var asked: [Int32: String] = [:]
            for subscription in delegate.subscriptions {
                guard let message = session.subscribe(to: subscription) else { throw .lost }
                asked[message] = subscription.filter
            }
            var refused: [String] = []
            let deadline = ContinuousClock.now + MQTTConnection.acceptTimeout
            while !asked.isEmpty, !isStopping {
                guard deadline > .now else { throw .silent }
                let end = runTurn(session, for: min(deadline - .now, MQTTConnection.heartbeat))
                for event in session.takeEvents() {
                    switch event {
                    case .received(let publication): delegate.receive(publication)
                    case .oversized(let topic, let bytes): delegate.missed(topic: topic, bytes: bytes)
                    case .subscribed(let message, let isRefused):
                        guard let filter = asked.removeValue(forKey: message), isRefused else { break }
                        refused.append(filter)
                    case .dismissed(let code) where end == nil: throw dismissal(code)
                    case .accepted, .refused, .published, .dismissed: break
                    }
                }
                if let end { throw end }
            }
            delegate.begin(canReceiveAnswers: session.version == .five)
            for filter in refused { delegate.refused(.subscribing(to: filter)) }
        }

        private func dismissal(_ code: Int32) -> DisconnectReason {
            code == MQTT5Reason.takenOver.rawValue ? .takenOver(clientID: connection.settings.clientID) : .lost
        }

        /// Publishes the delegate's remaining messages, at most `window` at a time.
        private func farewell(_ session: Session, _ underWay: [Int32: String]) {
            var unanswered = Set(underWay.keys)
            var countdown = Countdown(MQTTConnection.farewell)
            while true {
                let publications = delegate.take(MQTTConnection.window - unanswered.count)
                for publication in publications {
                    do throws(DisconnectReason) {
                        if let message = try publish(publication, session) { unanswered.insert(message) }
                    } catch {
                        return
                    }
                }
                // All of them were rejected; others may follow.
                if !publications.isEmpty, unanswered.isEmpty { continue }
                guard !unanswered.isEmpty, !countdown.isOver else { break }
                let start = ContinuousClock.now
                guard (try? turn(session, for: countdown.wait)) != nil else { return }
                countdown.spend(ContinuousClock.now - start)
                for case .published(let message, _) in session.takeEvents() { unanswered.remove(message) }
            }
            // If the broker did not receive all in time, no disconnect is sent, and the broker publishes the will.
            if unanswered.isEmpty { session.disconnect() }
        }

        /// Returns the reason if the connection ended in this turn. Events of the turn may precede the end.
        private func runTurn(_ session: Session, for limit: Duration) -> DisconnectReason? {
            let result = Result { () throws(DisconnectReason) in try turn(session, for: limit) }
            return if case .failure(let reason) = result { reason } else { nil }
        }

        /// Waits for the socket or a wake-up, and runs libmosquitto once.
        private func turn(_ session: Session, for limit: Duration) throws(DisconnectReason) {
            let ready = wait(session, for: limit)
            if ready & Int16(POLLIN | POLLERR | POLLHUP) != 0 { try check(session.read(), session) }
            if ready & Int16(POLLOUT) != 0 { try check(session.write(), session) }
            try check(session.keepAlive(), session)
            guard session.socket >= 0 else { throw .lost }
        }

        private func check(_ code: Int32, _ session: Session) throws(DisconnectReason) {
            guard code != 0 else { return }
            // The broker's reason, if it sent one, is among the events.
            for case .dismissed(let reason) in session.events {
                let dismissal = dismissal(reason)
                if dismissal != .lost { throw dismissal }
            }
            throw failure(code, session)
        }

        /// Returns the events that poll(2) reports of the session's socket.
        private func wait(_ session: Session?, for limit: Duration) -> Int16 {
            var interest = Int16(POLLIN)
            if session?.wantsToWrite ?? false { interest |= Int16(POLLOUT) }
            let wake = pollfd(fd: connection.thread.wakeDescriptor.descriptor, events: Int16(POLLIN), revents: 0)
            let socket = pollfd(fd: session?.socket ?? -1, events: interest, revents: 0)
            let milliseconds = Int32(max((limit / .milliseconds(1)).rounded(.up), 0))
            // Without an allocation: a gateway comes here for each change of a display.
            let (isWoken, ready) = withUnsafeTemporaryAllocation(of: pollfd.self, capacity: 2) { descriptors in
                descriptors.initializeElement(at: 0, to: wake)
                descriptors.initializeElement(at: 1, to: socket)
                poll(descriptors.baseAddress, 2, milliseconds)
                return (descriptors[0].revents != 0, descriptors[1].revents)
            }
            if isWoken { connection.thread.wakeDescriptor.silence() }
            return ready
        }

        private func failure(_ code: Int32, _ session: Session) -> DisconnectReason {
            session.failure(code, host: connection.settings.url.host)
        }
    }
}
