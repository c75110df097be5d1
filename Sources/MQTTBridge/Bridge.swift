// SPDX-License-Identifier: Apache-2.0
package import BrightnessAPI
package import BrightnessCore
package import MQTT

/// This daemon at an MQTT broker: what the hub tells, as retained messages; what clients ask there, as commands.
///
/// ```
///   NotificationHub ──mailbox──► Bridge ──Outbox──► Connection ──► broker
///   DisplayService ◄───────── BrokerCommands ◄──── Bridge ◄──────┘
/// ```
///
/// It listens to the hub only while it is connected, and a new connection begins with all that the hub retains. So nothing is
/// queued while the broker is away, and what it keeps is right again as soon as it is back.
///
/// On its connection's thread.
package final class Bridge: Correspondent {
    package struct Configuration: Sendable {
        package var topics: Topics
        /// The prefix of Home Assistant's discovery; `nil` to be discovered by nobody.
        package var discovery: String?
        /// Whose displays are shown here, too.
        package var mirrors: [MirrorFilter]
        package var version: String
        /// Reads the clocks, once a command.
        package var now: @Sendable () -> Moment
        /// Told while it is connected: then somebody may look.
        package var audience: Audience
        /// Of the commands of all the broker's clients together; `nil` for any number.
        package var writeQuota: WriteQuota?
        /// Said once to whoever reads the log.
        package var log: @Sendable (String) -> Void

        package init(
            topics: Topics,
            discovery: String? = nil,
            mirrors: [MirrorFilter] = [],
            version: String,
            audience: Audience,
            writeQuota: WriteQuota? = nil,
            now: @escaping @Sendable () -> Moment,
            log: @escaping @Sendable (String) -> Void
        ) {
            self.topics = topics
            self.discovery = discovery
            self.mirrors = mirrors
            self.version = version
            self.audience = audience
            self.writeQuota = writeQuota
            self.now = now
            self.log = log
        }
    }

    /// While more topics than this wait to be published, what earlier runs left is not cleared; the next connection finds it.
    private static let leftoverLimit = 4_096

    private let configuration: Configuration
    private let topics: Topics
    private let service: DisplayService
    private let source: NotificationSource
    private let poster: NotificationPoster
    private let commands: BrokerCommands
    private let mail: Mail
    private let wake: @Sendable () -> Void
    private let mirror: Mirror?
    private let log: LimitedLog
    private var discovery: Discovery?
    /// What Home Assistant was last told of.
    private var device: Discovery.Device?
    /// Home Assistant was started: when everything is told again.
    private var birthday: Instant?
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
        _ configuration: Configuration,
        wake: @escaping @Sendable () -> Void
    ) {
        self.configuration = configuration
        self.service = service
        self.source = source
        self.poster = poster
        self.wake = wake
        topics = configuration.topics
        commands = BrokerCommands(service, source, quota: configuration.writeQuota)
        mail = Mail(wake: wake)
        let log = LimitedLog(now: configuration.now, configuration.log)
        self.log = log
        mirror =
            configuration.mirrors.isEmpty
            ? nil
            : Mirror(configuration.mirrors, own: topics, service, log: log, wake: wake)
        discovery = configuration.discovery.map {
            Discovery(configuration.topics, prefix: $0, version: configuration.version)
        }
        poster.post(.broker(health))
    }

    /// What the broker says of this daemon when it is gone.
    package static func will(_ topics: Topics) -> Publication {
        Publication(topics.status, Array("offline".utf8), isRetained: true)
    }

    // MARK: The connection

    package var subscriptions: [MQTTSubscription] {
        let ours = discovery.map {
            [MQTTSubscription($0.topic, wantsRetained: true), MQTTSubscription($0.birthTopic)]
        }
        return topics.subscriptions + (ours ?? []) + (mirror?.subscriptions ?? [])
    }

    package func begin(answersCome: Bool) {
        mirror?.begin(answersCome: answersCome, at: configuration.now())
        tellEverything()
        viewer = configuration.audience.join()
        tell(.connected())
    }

    private func tellEverything() {
        boosts = [:]
        device = nil
        outbox.put(Publication(topics.status, Array("online".utf8), isRetained: true))
        listener = source.listen(to: NotificationFilter([.brightness, .boost, .ambient, .display]), wake: wake)
    }

    package func end(_ reason: DisconnectReason) {
        listener = nil
        viewer = nil
        outbox = Outbox()
        birthday = nil
        _ = mail.take()
        mirror?.end(at: configuration.now())
        if reason != .stopped { tell(.away("\(reason)")) }
    }

    package func refused(_ what: Refusal) {
        // The first is enough to look at the broker's access list.
        guard health == .connected() else { return }
        switch what {
        case .publishing(let topic): tell(.connected(limitation: "it does not let this daemon publish to \(topic)"))
        case .subscribing(let filter): tell(.connected(limitation: "it does not let this daemon listen to \(filter)"))
        case .message(let topic, let why): tell(.connected(limitation: "nothing new is published to \(topic): \(why)"))
        }
    }

    private func tell(_ health: BrokerHealth) {
        guard health != self.health else { return }
        self.health = health
        poster.post(.broker(health))
    }

    package func look() {
        let now = configuration.now()
        mirror?.look(at: now)
        log.writeRemainders(at: now.instant)
        if let birthday, birthday <= now.instant, listener != nil {
            self.birthday = nil
            tellEverything()
        }
    }

    // MARK: Out

    package func take(_ room: Int) -> [Publication] {
        // What is not drained is conflated by the hub.
        guard room > 0, listener != nil else { return [] }
        let answers = mail.take()
        let news = drain()
        if discovery != nil, device == nil || news.contains(where: isOfDevice) { introduce() }
        for notification in news { publish(notification) }
        for question in mirror?.takeOutgoing() ?? [] { outbox.put(question) }
        for answer in answers { outbox.put(answer) }
        return outbox.take(room)
    }

    private func drain() -> [BrightnessCore.Notification] {
        if let news = listener?.drainWhole() { return news }
        // Too much came at once for all of it to be kept: what is so now is told instead.
        tellEverything()
        return listener?.drain() ?? []
    }

    /// Whether Home Assistant's device may have another component, or one less.
    private func isOfDevice(_ news: BrightnessCore.Notification) -> Bool {
        switch news {
        case .display: true
        case .ambient: device?.hasIlluminance != source.hasLightSensor
        case .brightness, .boost, .audience, .following, .journal, .broker, .health, .room, .failure: false
        }
    }

    /// Tells Home Assistant what there is, when that is something else than before.
    private func introduce() {
        let displays = service.all.states.filter { $0.kind != .remote }
        let device = Discovery.Device(
            displays: displays.map { Discovery.Device.Display(id: $0.id, name: $0.name) },
            hasIlluminance: source.hasLightSensor
        )
        guard device != self.device, let config = discovery?.config(of: device), let topic = discovery?.topic else {
            return
        }
        self.device = device
        put(config, topic)
    }

    private func publish(_ notification: BrightnessCore.Notification) {
        switch notification {
        case .brightness(let state):
            // Another daemon's display is told of by that one: two that show each other's must not tell each other.
            guard state.kind != .remote else { return }
            put(state.json, topics.state(of: state.id))
            if discovery != nil { put(state.lightJSON, topics.light(of: state.id)) }
            publishBoosts(of: state.id)
        case .boost(let event, _):
            publishBoosts(of: event.lease.display)
        case .ambient(let ambient):
            put(ambient.json, topics.ambient)
        case .display(let id, .removed, _):
            forget(id)
        case .display(_, .added, _), .audience, .following, .journal, .broker, .health, .room, .failure:
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
        guard TopicName.isPlain(publication.topic) else { return }
        guard let meaning = topics.meaning(of: publication.topic) else { return receiveOther(publication) }
        switch meaning {
        case .command(let method, let display):
            guard let answer = answer(to: publication) else { return }
            commands.carryOut(
                method,
                on: display,
                body: publication.payload,
                at: configuration.now(),
                completion: answer
            )
        case .light(let display):
            guard let answer = answer(to: publication) else { return }
            commands.turnLight(on: display, body: publication.payload, at: configuration.now(), completion: answer)
        case .retained(let text):
            // Left by an earlier run, of a display that is no more.
            guard publication.isRetained, !publication.payload.isEmpty, let id = DisplayID(text),
                outbox.retainedCount < Self.leftoverLimit,
                !service.all.states.contains(where: { $0.id == id && $0.kind != .remote })
            else { return }
            forget(id)
        }
    }

    package func missed(topic: String, bytes: Int) {
        log(.oversized, "ignores a message of \(bytes) bytes at \(topic)")
    }

    /// What other daemons and Home Assistant say.
    private func receiveOther(_ publication: Publication) {
        if mirror?.receive(publication, at: configuration.now()) ?? false { return }
        switch publication.topic {
        case discovery?.topic where publication.isRetained:
            discovery?.recall(publication.payload)
        case discovery?.birthTopic where publication.payload == Array("online".utf8):
            // Not all daemons of a building at once.
            birthday = configuration.now().instant + .seconds(Double.random(in: 0...3))
        default:
            break
        }
    }

    /// How a command is answered; `nil` if it is none.
    private func answer(to publication: Publication) -> BrokerCommands.Completion? {
        if publication.isRetained {
            // It would be carried out again at each connection.
            log(
                .retainedCommand,
                "left a retained command at \(publication.topic) alone: commands are not to be retained"
            )
            return nil
        }
        let (mail, log) = (mail, log)
        let topic = publication.responseTopic
        guard let topic, topics.admitsAnswers(on: topic) else {
            if let topic {
                log(
                    .responseTopic,
                    "does not answer at \(topic): answers go to \(topics.prefix)/NODE/answers or elsewhere"
                )
            }
            return { reply in
                guard reply.isProblem else { return }
                log(.failedCommand, "\(publication.topic): \(String(decoding: reply.body, as: UTF8.self))")
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
