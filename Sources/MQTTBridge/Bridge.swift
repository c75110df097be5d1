// SPDX-License-Identifier: Apache-2.0
package import BrightnessCore
package import MQTT
import Synchronization
import WebAPI

/// This daemon at an MQTT broker: what the hub tells, as retained messages; what clients ask there, as commands.
///
/// ```
///   NotificationHub ──mailbox──► Bridge ──Outbox──► Connection ──► broker
///   DisplayService ◄──────────── CommandDesk ◄──── Bridge ◄──────┘
/// ```
///
/// It listens to the hub only while it is connected, and a new connection begins with all that the hub retains. So nothing is
/// queued while the broker is away, and what it keeps is right again as soon as it is back.
///
/// On its connection's thread.
package final class Bridge: Correspondent {
    package struct Configuration: Sendable {
        package var topics: Topics
        /// Reads the clocks, once a command.
        package var now: @Sendable () -> Moment
        /// Told while it is connected: then somebody may look.
        package var audience: Audience
        /// Said once to whoever reads the log.
        package var log: @Sendable (String) -> Void

        package init(
            topics: Topics,
            audience: Audience,
            now: @escaping @Sendable () -> Moment,
            log: @escaping @Sendable (String) -> Void
        ) {
            self.topics = topics
            self.audience = audience
            self.now = now
            self.log = log
        }
    }

    /// Whether commands are still taken; any thread ends that.
    package final class Ear: Sendable {
        private let isOpen = Atomic(true)

        package init() {}

        package func close() { isOpen.store(false, ordering: .releasing) }

        var hears: Bool { isOpen.load(ordering: .acquiring) }
    }

    private let configuration: Configuration
    private let topics: Topics
    private let service: DisplayService
    private let source: NotificationSource
    private let poster: NotificationPoster
    private let desk: CommandDesk
    private let ear: Ear
    private let mail: Mail
    private let wake: @Sendable () -> Void
    private var outbox = Outbox()
    /// While connected.
    private var listener: Listener?
    private var viewer: Viewer?
    /// What the broker was last given of each display's leases.
    private var boosts: [DisplayID: [UInt8]] = [:]
    private var health = BrokerHealth.connecting

    package init(
        _ service: DisplayService,
        source: NotificationSource,
        poster: NotificationPoster,
        ear: Ear,
        _ configuration: Configuration,
        wake: @escaping @Sendable () -> Void
    ) {
        self.configuration = configuration
        self.service = service
        self.source = source
        self.poster = poster
        self.ear = ear
        self.wake = wake
        topics = configuration.topics
        desk = CommandDesk(service, source, channel: .mqtt)
        mail = Mail(wake: wake)
        poster.post(.broker(health))
    }

    /// What the broker says of this daemon when it is gone.
    package static func will(_ topics: Topics) -> Publication {
        Publication(topics.status, Array("offline".utf8), isRetained: true)
    }

    // MARK: The connection

    package var subscriptions: [MQTTSubscription] { topics.subscriptions }

    package func begin(answersCome: Bool) {
        outbox.put(Publication(topics.status, Array("online".utf8), isRetained: true))
        listener = source.listen(to: Interest([.brightness, .boost, .ambient, .display]), wake: wake)
        viewer = configuration.audience.join()
        tell(.connected())
    }

    package func end(_ reason: DisconnectReason) {
        listener = nil
        viewer = nil
        outbox = Outbox()
        boosts = [:]
        _ = mail.take()
        if reason != .stopped { tell(.away("\(reason)")) }
    }

    package func refused(_ what: Refusal) {
        // The first is enough to look at the broker's access list.
        guard health == .connected() else { return }
        switch what {
        case .publishing(let topic): tell(.connected(limitation: "it does not let this daemon publish to \(topic)"))
        case .subscribing(let filter): tell(.connected(limitation: "it does not let this daemon listen to \(filter)"))
        }
    }

    private func tell(_ health: BrokerHealth) {
        guard health != self.health else { return }
        self.health = health
        poster.post(.broker(health))
    }

    package func look() {}

    // MARK: Out

    package func take(_ room: Int) -> [Publication] {
        // What is not drained is conflated by the hub.
        guard room > 0, let listener else { return [] }
        let answers = mail.take()
        for notification in listener.drain() { publish(notification) }
        for answer in answers { outbox.put(answer) }
        return outbox.take(room)
    }

    private func publish(_ notification: BrightnessCore.Notification) {
        switch notification {
        case .brightness(let state):
            // Another daemon's display is told of by that one: two that show each other's must not tell each other.
            guard state.kind != .remote else { return }
            put(state.json, topics.state(of: state.id))
            publishBoosts(of: state.id)
        case .boost(let event, _):
            publishBoosts(of: event.lease.display)
        case .ambient(let ambient):
            put(ambient.json, topics.ambient)
        case .display(let id, .removed):
            forget(id)
        case .display(_, .added), .audience, .journal, .broker, .failure:
            break
        }
    }

    private func publishBoosts(of id: DisplayID) {
        guard let table = service.boosts(of: id), service.state(of: id)?.kind != .remote else { return }
        let json = table.json
        guard boosts.updateValue(json, forKey: id) != json else { return }
        put(json, topics.boosts(of: id))
    }

    private func put(_ payload: [UInt8], _ topic: String) {
        outbox.put(Publication(topic, payload, isRetained: true, contentType: "application/json"))
    }

    /// The broker keeps nothing of it any more.
    private func forget(_ id: DisplayID) {
        boosts[id] = nil
        for topic in topics.retained(of: id) { outbox.put(Publication(topic, [], isRetained: true)) }
    }

    // MARK: In

    package func receive(_ publication: Publication) {
        guard TopicName.isPlain(publication.topic), let meaning = topics.meaning(of: publication.topic) else { return }
        switch meaning {
        case .command(let method, let display):
            guard let answer = answer(to: publication) else { return }
            desk.carryOut(method, on: display, publication.payload, at: configuration.now(), completion: answer)
        case .light(let display):
            guard let answer = answer(to: publication) else { return }
            desk.turnLight(on: display, publication.payload, at: configuration.now(), completion: answer)
        case .state(let text):
            // Left by an earlier run, of a display that is no more.
            guard publication.isRetained, let id = DisplayID(text),
                !service.all.states.contains(where: { $0.id == id && $0.kind != .remote })
            else { return }
            forget(id)
        }
    }

    /// How a command is answered; `nil` if it is none.
    private func answer(to publication: Publication) -> CommandDesk.Completion? {
        guard ear.hears else { return nil }
        if publication.isRetained {
            // It would be carried out again at each connection.
            configuration.log("left a retained command at \(publication.topic) alone: commands are not to be retained")
            return nil
        }
        let (mail, log) = (mail, configuration.log)
        let topic = publication.responseTopic
        guard let topic, topics.admitsAnswers(on: topic) else {
            if let topic {
                log("does not answer at \(topic): answers go to \(topics.prefix)/NODE/answers or elsewhere")
            }
            return { reply in
                guard reply.isProblem else { return }
                log("\(publication.topic): \(String(decoding: reply.body, as: UTF8.self))")
            }
        }
        return { reply in
            mail.post(
                Publication(
                    topic,
                    reply.body,
                    correlation: publication.correlation,
                    contentType: reply.mediaType
                )
            )
        }
    }
}
