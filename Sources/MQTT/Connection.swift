// SPDX-License-Identifier: Apache-2.0
import Glibc
import Synchronization
package import Threads

/// A connection to the broker that is made again whenever it is lost, with MQTT 5, or 3.1.1 where that is not spoken.
///
/// ```
///   wake ──bell──► its thread: poll(socket, bell) ──► libmosquitto ──► Correspondent
/// ```
///
/// One thread owns libmosquitto and the correspondent, so there are no locks around them, and whatever blocks here, such
/// as a broker that does not answer, blocks nobody else. libmosquitto's own loop is not used: it waits by `select`, which
/// cannot when the daemon has thousands of descriptors.
///
/// - At most `window` messages are under way; what else there is to say stays with the correspondent, who keeps the newest.
package final class Connection: Sendable {
    package struct Settings: Sendable {
        package var url: BrokerURL
        package var password: String?
        /// Certificates (PEM) of those who vouch for the broker; `nil` for the system's.
        package var authorityFile: String?
        /// Always the same for a daemon: the broker then ends the connection that this one follows, and its last will
        /// comes before what we say.
        package var clientID: String
        /// What the broker says for us when we are gone without a goodbye.
        package var will: Publication

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

    /// The broker takes us for gone after one and a half times this, and says so.
    static let keepAliveSeconds: Int32 = 15
    /// How many messages may be under way. Few: what waits here can still be replaced by something newer.
    static let window = 16
    /// What the broker may take for its first word.
    private static let acceptTimeout: Duration = .seconds(10)
    /// What it may take for our last words.
    private static let farewell: Duration = .seconds(1)
    /// libmosquitto looks at the time when it is called.
    private static let heartbeat: Duration = .seconds(2)

    private let settings: Settings
    private let bell: EventDescriptor
    private let isStopping = Atomic(false)
    /// Open when the goodbye is said, or cannot be.
    package let ended = Latch()

    package init(_ settings: Settings) throws(ThreadError) {
        self.settings = settings
        bell = try EventDescriptor()
    }

    /// Begins, once.
    ///
    /// - Parameter correspondent: Made on the connection's thread, and used there alone.
    package func start(_ correspondent: @escaping @Sendable () -> any Correspondent) throws(ThreadError) {
        try Thread.start(named: "mqtt") {
            var conversation = Conversation(over: self, with: correspondent())
            conversation.run()
            self.ended.release()
        }
    }

    /// "Look." Any thread, never blocks; further wakes before the thread looks cost one atomic exchange.
    package func wake() { bell.ring() }

    /// Publishes what is left to say, then says goodbye; then `ended` opens. Returns at once.
    package func stop() {
        isStopping.store(true, ordering: .releasing)
        wake()
    }

    /// What happens on the thread.
    private struct Conversation {
        let connection: Connection
        let correspondent: any Correspondent
        var backoff = Backoff()
        /// When the broker took us, the last time we asked.
        var acceptedAt: ContinuousClock.Instant?

        init(over connection: Connection, with correspondent: any Correspondent) {
            self.connection = connection
            self.correspondent = correspondent
        }

        private var isStopping: Bool { connection.isStopping.load(ordering: .acquiring) }

        mutating func run() {
            while !isStopping {
                acceptedAt = nil
                let reason = converse()
                correspondent.end(reason)
                if let acceptedAt { backoff.ended(after: ContinuousClock.now - acceptedAt) }
                pause(until: .now + backoff.next(random: .random(in: 0...1)))
            }
        }

        /// Waits, and goes on telling the correspondent that something may be due.
        private func pause(until deadline: ContinuousClock.Instant) {
            while !isStopping {
                let left = deadline - .now
                guard left > .zero else { return }
                _ = wait(nil, for: min(left, Connection.heartbeat))
                correspondent.look()
            }
        }

        private mutating func converse() -> DisconnectReason {
            let reason = converse(in: .five)
            // Asked for each time: a broker may be replaced by a newer one.
            return reason == .version && !isStopping ? converse(in: .three) : reason
        }

        /// One connection, from the attempt to its end.
        private mutating func converse(in version: Session.Version) -> DisconnectReason {
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

        /// Until the broker has taken us.
        private func awaitAcceptance(_ session: Session) throws(DisconnectReason) {
            let deadline = ContinuousClock.now + Connection.acceptTimeout
            while true {
                guard !isStopping else { throw .stopped }
                guard deadline > .now else { throw .silent }
                let end: DisconnectReason?
                do throws(DisconnectReason) {
                    try turn(session, for: min(deadline - .now, Connection.heartbeat))
                    end = nil
                } catch {
                    end = error
                }
                // What the broker says tells more than that it hangs up then.
                for event in session.takeEvents() {
                    switch event {
                    case .accepted: return
                    case .refused(let code): throw refusal(code)
                    case .dismissed, .received, .oversized, .published, .subscribed: break
                    }
                }
                if let end { throw end }
                correspondent.look()
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

        /// Until the connection is lost, or the daemon stops.
        private func talk(_ session: Session) throws(DisconnectReason) {
            var underWay: [Int32: String] = [:]
            try subscribe(session)
            while true {
                correspondent.look()
                try publishNews(session, &underWay)
                if isStopping { return farewell(session, underWay) }
                try turn(session, for: Connection.heartbeat)
                for event in session.takeEvents() {
                    switch event {
                    case .received(let publication):
                        correspondent.receive(publication)
                    case .oversized(let topic, let bytes): correspondent.missed(topic: topic, bytes: bytes)
                    case .published(let message, let code):
                        guard let topic = underWay.removeValue(forKey: message), code >= 0x80 else { break }
                        correspondent.refused(.publishing(to: topic))
                    case .dismissed(let code): throw dismissal(code)
                    case .accepted, .refused, .subscribed: break
                    }
                }
            }
        }

        /// As much as there is room for. What the broker does not accept takes none.
        private func publishNews(_ session: Session, _ underWay: inout [Int32: String]) throws(DisconnectReason) {
            var hasRejected: Bool
            repeat {
                hasRejected = false
                for publication in correspondent.take(Connection.window - underWay.count) {
                    if let message = try publish(publication, session) {
                        underWay[message] = publication.topic
                    } else {
                        hasRejected = true
                    }
                }
            } while hasRejected
        }

        /// Returns the message's number, or `nil` if the broker does not accept it.
        private func publish(_ publication: Publication, _ session: Session) throws(DisconnectReason) -> Int32? {
            switch session.publish(publication) {
            case .underWay(let message): return message
            case .rejected(let why):
                correspondent.refused(.message(to: publication.topic, why: why))
                return nil
            case .lost: throw .lost
            }
        }

        /// Until the broker has heard what we want to hear of: from then on nothing of it is missed.
        private func subscribe(_ session: Session) throws(DisconnectReason) {
            var asked: [Int32: String] = [:]
            for subscription in correspondent.subscriptions {
                guard let message = session.subscribe(to: subscription) else { throw .lost }
                asked[message] = subscription.filter
            }
            var refused: [String] = []
            let deadline = ContinuousClock.now + Connection.acceptTimeout
            while !asked.isEmpty, !isStopping {
                guard deadline > .now else { throw .silent }
                try turn(session, for: min(deadline - .now, Connection.heartbeat))
                for event in session.takeEvents() {
                    switch event {
                    case .received(let publication): correspondent.receive(publication)
                    case .oversized(let topic, let bytes): correspondent.missed(topic: topic, bytes: bytes)
                    case .subscribed(let message, let isRefused):
                        guard let filter = asked.removeValue(forKey: message), isRefused else { break }
                        refused.append(filter)
                    case .dismissed(let code): throw dismissal(code)
                    case .accepted, .refused, .published: break
                    }
                }
            }
            correspondent.begin(answersCome: session.version == .five)
            for filter in refused { correspondent.refused(.subscribing(to: filter)) }
        }

        private func dismissal(_ code: Int32) -> DisconnectReason {
            code == MQTT5Reason.takenOver.rawValue ? .takenOver(clientID: connection.settings.clientID) : .lost
        }

        /// Publishes all that the correspondent has to say, `window` messages at a time, then what our will would have said.
        private func farewell(_ session: Session, _ underWay: [Int32: String]) {
            var left = Set(underWay.keys)
            var will = [connection.settings.will]
            var countdown = Countdown(Connection.farewell)
            while true {
                var publications = correspondent.take(Connection.window - left.count)
                if publications.isEmpty, left.count < Connection.window {
                    publications = will
                    will = []
                }
                for publication in publications {
                    do throws(DisconnectReason) {
                        if let message = try publish(publication, session) { left.insert(message) }
                    } catch {
                        return
                    }
                }
                // What the broker does not accept takes no room.
                if !publications.isEmpty, left.isEmpty { continue }
                guard !left.isEmpty, !countdown.isOver else { break }
                let start = ContinuousClock.now
                guard (try? turn(session, for: countdown.wait)) != nil else { return }
                countdown.spend(ContinuousClock.now - start)
                for case .published(let message, _) in session.takeEvents() { left.remove(message) }
            }
            // A broker that did not take all of it in time gets no goodbye, and publishes the will itself.
            if left.isEmpty, will.isEmpty { session.disconnect() }
        }

        /// One look at the socket and the bell.
        private func turn(_ session: Session, for limit: Duration) throws(DisconnectReason) {
            let ready = wait(session, for: limit)
            if ready & Int16(POLLIN | POLLERR | POLLHUP) != 0 { try check(session.read(), session) }
            if ready & Int16(POLLOUT) != 0 { try check(session.write(), session) }
            try check(session.keepAlive(), session)
            guard session.socket >= 0 else { throw .lost }
        }

        private func check(_ code: Int32, _ session: Session) throws(DisconnectReason) {
            guard code != 0 else { return }
            // The broker's reason, if it gave one, is among the events.
            for case .dismissed(let reason) in session.peekEvents {
                let dismissal = dismissal(reason)
                if dismissal != .lost { throw dismissal }
            }
            throw failure(code, session)
        }

        /// Returns what poll(2) says of the session's socket.
        private func wait(_ session: Session?, for limit: Duration) -> Int16 {
            var interest = Int16(POLLIN)
            if session?.wantsToWrite ?? false { interest |= Int16(POLLOUT) }
            var descriptors = [
                pollfd(fd: connection.bell.descriptor, events: Int16(POLLIN), revents: 0),
                pollfd(fd: session?.socket ?? -1, events: interest, revents: 0),
            ]
            let milliseconds = limit / .milliseconds(1)
            poll(&descriptors, nfds_t(descriptors.count), Int32(max(milliseconds.rounded(.up), 0)))
            if descriptors[0].revents != 0 { connection.bell.silence() }
            return descriptors[1].revents
        }

        private func failure(_ code: Int32, _ session: Session) -> DisconnectReason {
            Session.failure(code, host: connection.settings.url.host, complaint: session.lastComplaint)
        }
    }
}
