// SPDX-License-Identifier: Apache-2.0
package import BrightnessCore
package import MQTT

/// The MQTT bridge: publishes the hub's notifications as retained messages, and accepts commands.
///
/// ```
///   NotificationHub ──mailbox──► Bridge ──Outbox──► Connection ──► broker
///   DisplayService ◄───────── BrokerCommands ◄──── Bridge ◄──────┘
/// ```
///
/// It listens to the hub only while it is connected, and a new connection begins with every retained one. So nothing
/// is queued while the broker is unreachable, and the broker's retained messages are correct again after the reconnect.
///
/// On its connection's thread.
package final class Bridge: MQTTSessionDelegate {
    package struct Configuration: Sendable {
        let topics: Topics
        /// The prefix of Home Assistant's discovery; `nil` for no discovery.
        package var discovery: String?
        package var mirrors: [MirrorFilter] = []
        /// The maximum number of mirrored displays, and of nodes.
        package var mirrorLimit = Bridge.defaultMirrorLimit
        let version: String
        /// Receives the readings of remote light sensors.
        let lightReports: LightReports

        package init(topics: Topics, version: String, lightReports: LightReports) {
            (self.topics, self.version, self.lightReports) = (topics, version, lightReports)
        }
    }

    package static let defaultMirrorLimit = 20_000

    /// Changes of the device within this time are one message: each is the whole device.
    private static let announcementPause: Duration = .seconds(10)

    /// While more topics than this are pending, retained messages of earlier runs are not cleared; the next connection
    /// does it.
    private static let leftoverLimit = 4_096

    private let configuration: Configuration
    private let topics: Topics
    private let surface: Surface
    private let commands: BrokerCommands
    private let answers: AnswerQueue
    private let mirror: Mirror?
    private let log: BrokerLog
    private var discovery: Discovery?
    /// The device that was announced last; `nil` to announce it again, even if nothing has changed.
    private var device: Discovery.Device?
    /// The names in it. A change of one display out of thousands must not search them all.
    private var announcedNames: [DisplayID: String] = [:]
    /// When a change of the device is announced; `nil` without one.
    private var announcement: Instant?
    private var lastAnnouncement: Instant?
    /// The time to publish everything again after a start of Home Assistant.
    private var republication: Instant?
    private var outbox = Outbox()
    /// Open while connected.
    private var feed: NotificationFeed
    /// The displays with retained messages of this connection: those of this machine.
    private var published: Set<DisplayID> = []
    /// The last published leases of each display.
    private var leases: [DisplayID: [UInt8]] = [:]
    private var health = BrokerHealth.connecting
    /// Whether the last published status is `online`.
    private var isOnline = false

    /// - Parameter wake: Wakes the thread. Any thread, never blocks.
    package init(_ surface: Surface, _ configuration: Configuration, wake: @escaping @Sendable () -> Void) {
        (self.surface, self.configuration, topics) = (surface, configuration, configuration.topics)
        commands = BrokerCommands(surface, configuration.lightReports, topics: configuration.topics)
        answers = AnswerQueue(wake: wake)
        feed = surface.feed(wake: wake)
        let log = BrokerLog(now: surface.now) { [poster = surface.poster] in poster.post(.notice(.broker($0))) }
        self.log = log
        mirror =
            configuration.mirrors.isEmpty
            ? nil
            : Mirror(
                configuration.mirrors,
                own: topics,
                surface.service,
                limit: configuration.mirrorLimit,
                log: log,
                poster: surface.poster,
                wake: wake
            )
        discovery = configuration.discovery.map {
            Discovery(configuration.topics, prefix: $0, version: configuration.version)
        }
        surface.poster.post(.broker(health))
    }

    /// The last will: the broker publishes it when the connection breaks, and the bridge when the daemon stops.
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

    package func begin(canReceiveAnswers: Bool) {
        mirror?.begin(canReceiveAnswers: canReceiveAnswers, at: surface.now())
        published = []
        publishEverything()
        report(.connected(limitation: mirror?.limitation))
    }

    private func publishEverything() {
        leases = [:]
        device = nil
        put(
            NodeCapabilities.current.json(version: configuration.version, epoch: surface.service.epoch),
            topics.capabilities
        )
        outbox.put(makeStatus())
        // Only its own node publishes a mirrored display: two gateways must not echo each other.
        feed.begin()
        // The replaced mailbox may have had the removal of a display.
        let own = Set(surface.service.own.map(\.id))
        for id in published where !own.contains(id) { forget(id) }
    }

    private func makeStatus() -> Publication {
        isOnline = !surface.service.isStopping
        return isOnline ? Publication(topics.status, Array("online".utf8), isRetained: true) : Self.will(topics)
    }

    package func end(_ reason: DisconnectReason) {
        feed.end()
        outbox = Outbox()
        (republication, announcement) = (nil, nil)
        _ = answers.take()
        mirror?.end(at: surface.now())
        if reason != .stopped { report(.away("\(reason)")) }
    }

    package func refused(_ what: Refusal) {
        switch what {
        case .publishing(let topic): report(limitation: "the broker denies publishing to \(topic)")
        case .subscribing(let filter): report(limitation: "the broker denies subscribing to \(filter)")
        case .message(let topic, let why): report(limitation: "publishing to \(topic) failed: \(why)")
        }
    }

    /// The first limitation is enough to check the broker's access list, or an option.
    private func report(limitation: String) {
        if health == .connected() { report(.connected(limitation: limitation)) }
    }

    private func report(_ health: BrokerHealth) {
        guard health != self.health else { return }
        self.health = health
        surface.poster.post(.broker(health))
    }

    package var timeLeft: Duration? {
        guard commands.deadline != nil || announcement != nil || republication != nil else { return nil }
        let now = surface.now().instant
        // An overdue announcement waits until `take` has room for it, not for a time.
        let announcement = announcement.flatMap { $0 > now ? $0 : nil }
        return [commands.deadline, announcement, republication].compactMap { $0 }.min().map { $0 - now }
    }

    package func drainInbox() {
        let now = surface.now()
        commands.runDue(at: now)
        mirror?.runDeadlines(at: now)
        log.writeRemainders(at: now.instant)
        if let republication, republication <= now.instant, feed.isOpen {
            self.republication = nil
            publishEverything()
        }
    }

    // MARK: Out

    package func take(_ room: Int) -> [Publication] {
        // The hub conflates notifications that are not drained.
        guard room > 0, feed.isOpen else { return [] }
        let finished = answers.take()
        let notifications = drain()
        // Before the ends of leases by the stop: gateways take those that an online node reports for releases.
        if isOnline, surface.service.isStopping { outbox.putFirst(makeStatus()) }
        if discovery != nil { announceDevice(after: notifications) }
        var fresh: Set<DisplayID> = []
        for notification in notifications { publish(notification, &fresh) }
        for answer in finished { outbox.put(answer) }
        let taken = outbox.take(room)
        return taken + (mirror?.takeOutgoing(room - taken.count) ?? [])
    }

    private func drain() -> [BrightnessCore.Notification] {
        if let notifications = feed.take() { return notifications }
        // Notifications were missed: publish the current state of everything.
        publishEverything()
        return feed.drain()
    }

    /// Whether the components of Home Assistant's device may change.
    private func mayChangeDevice(_ notification: BrightnessCore.Notification) -> Bool {
        switch notification {
        case .display, .presets: true
        case .ambient: device?.hasIlluminance != surface.source.hasLightSensor
        case .state(let state): announcedNames[state.id].map { $0 != state.name } ?? false
        default: false
        }
    }

    /// Publishes the device for Home Assistant if it changed: at once, or `announcementPause` after the last time.
    private func announceDevice(after notifications: [BrightnessCore.Notification]) {
        let now = surface.now().instant
        if announcement == nil, notifications.contains(where: mayChangeDevice) {
            announcement = max(now, lastAnnouncement.map { $0 + Self.announcementPause } ?? now)
        }
        guard device == nil || announcement.map({ $0 <= now }) ?? false else { return }
        announcement = nil
        let device = Discovery.Device(
            displays: surface.service.own.map { HomeAssistantDisplay($0) },
            hasIlluminance: surface.source.hasLightSensor,
            presets: commands.presets.map(\.name)
        )
        guard device != self.device, let config = discovery?.config(of: device), let topic = discovery?.topic else {
            return
        }
        self.device = device
        lastAnnouncement = now
        announcedNames = Dictionary(device.displays.map { ($0.id, $0.name) }) { first, _ in first }
        put(config, topic)
    }

    /// - Parameter fresh: The displays whose leases are published already, as one text, however many of them changed.
    private func publish(_ notification: BrightnessCore.Notification, _ fresh: inout Set<DisplayID>) {
        switch notification {
        case .state(let state):
            published.insert(state.id)
            put(state.json, topics.state(of: state.id))
            if discovery != nil, state.isDimmable { put(state.lightJSON, topics.light(of: state.id)) }
            publishLeases(of: state.id, &fresh)
        case .lease(let event, _):
            publishLeases(of: event.lease.display, &fresh)
        case .ambient(let ambient):
            put(ambient.json, topics.ambient)
        case .display(let id, .removed, _):
            // A mirrored display has nothing to clear, and hostile nodes may have any number of them.
            if published.contains(id) { forget(id) }
            fresh.remove(id)
        // Presets are in Home Assistant's device only. The feed has no other notifications.
        default: break
        }
    }

    private func publishLeases(of id: DisplayID, _ fresh: inout Set<DisplayID>) {
        // Others are mirrored, or removed: a lease may end while its display is unplugged.
        guard published.contains(id), fresh.insert(id).inserted else { return }
        guard let json = surface.service.leases(of: id)?.json(upTo: Lease.longestList) else { return }
        guard leases.updateValue(json, forKey: id) != json else { return }
        put(json, topics.leases(of: id))
    }

    private func put(_ payload: [UInt8], _ topic: String) {
        outbox.put(Publication(topic, payload, isRetained: true, contentType: "application/json"))
    }

    /// Clears the retained messages of a removed display.
    private func forget(_ id: DisplayID) {
        published.remove(id)
        leases[id] = nil
        for topic in topics.retained(of: id) { outbox.put(Publication(topic, [], isRetained: true)) }
    }

    // MARK: In

    package func receive(_ publication: Publication) {
        guard TopicName.isPlain(publication.topic) else { return }
        guard let kind = topics.kind(of: publication.topic) else { return receiveOther(publication) }
        switch kind {
        case .command, .light, .awake, .illuminance:
            guard let completion = completion(of: publication) else { return }
            commands.receive(
                publication.payload,
                at: publication.topic,
                kind,
                at: surface.now(),
                completion: completion
            )
        case .retained(let text):
            // A message of an earlier run, of a display that no longer exists.
            guard publication.isRetained, !publication.payload.isEmpty, let id = DisplayID(text),
                outbox.retainedCount < Self.leftoverLimit,
                !surface.service.own.contains(where: { $0.id == id })
            else { return }
            forget(id)
        }
    }

    package func missed(topic: String, bytes: Int) {
        log(.oversized, "ignoring a message of \(bytes) bytes at \(topic): it is too long")
    }

    /// Handles messages of other daemons and of Home Assistant.
    private func receiveOther(_ publication: Publication) {
        if let mirror, mirror.receive(publication, at: surface.now()) {
            if let limitation = mirror.limitation { report(limitation: limitation) }
            return
        }
        switch publication.topic {
        case discovery?.topic where publication.isRetained:
            // An earlier run announced components that this run did not know when it announced its own: they are
            // removed by a further announcement.
            if discovery?.recall(publication.payload) == true { device = nil }
        case discovery?.birthTopic where publication.payload == Array("online".utf8):
            // Random, so that the daemons of a building do not all publish at once.
            republication = surface.now().instant + .seconds(Double.random(in: 0...3))
        default:
            break
        }
    }

    /// Returns the handler of a command's result; `nil` if the command is ignored.
    private func completion(of publication: Publication) -> BrokerCommands.Completion? {
        if publication.isRetained {
            // A retained command would be executed again at each connection.
            log(
                .retainedCommand,
                "ignoring the retained command at \(publication.topic): publish commands without the retain flag"
            )
            return nil
        }
        let asked = publication.responseTopic
        let topic = asked.flatMap { topics.admitsAnswers(on: $0) ? $0 : nil }
        if topic == nil, let asked {
            log(.responseTopic, "not answering at \(asked): response topics must be \(topics.prefix)/NAME/answers")
        }
        return { [answers, log, logRefusal = surface.logRefusal] result in
            if case .failure(let problem) = result {
                let document = { String(decoding: problem.json, as: UTF8.self) }
                if problem.type == .rateLimited {
                    log(.skippedCommand, "\(publication.topic): \(problem.detail)")
                } else if topic == nil {
                    log(.failedCommand, "\(publication.topic): \(document())")
                } else {
                    logRefusal?("MQTT: \(publication.topic): \(document())")
                }
            }
            guard let topic else { return }
            let (body, type): ([UInt8], String?) =
                switch result {
                case .success(nil): ([], nil)
                case .success(let execution?): (execution.document, "application/json")
                case .failure(let problem): (problem.json, "application/problem+json")
                }
            answers.post(Publication(topic, body, correlation: publication.correlation, contentType: type))
        }
    }
}
