// SPDX-License-Identifier: Apache-2.0
import BrightnessAPI
package import BrightnessCore
package import HTTPServer
package import Journal

/// The API and the dashboard, as one shard serves them: HTTP words to core words and back.
///
/// One instance a shard, on that shard's thread. Commands go to the `DisplayService`; what is told comes from the hub.
package final class WebApplication: Application {
    package struct Configuration: Sendable {
        package var access: AccessPolicy
        /// The display of the shortcuts; `nil` for the first there is.
        package var defaultDisplay: DisplayID?
        /// Reads the clocks, once a request that needs them.
        package var now: @Sendable () -> Moment
        /// Told while this shard has somebody who looks.
        let audience: Audience
        /// The room of simulated displays; `nil` if there is none.
        let simulator: (any Simulator)?
        /// What `/metrics` tells.
        let metrics: DaemonMetrics?
        package let writeLimit: WriteLimit
        /// One for all shards.
        let idempotency = IdempotencyStore()

        package init(
            access: AccessPolicy,
            defaultDisplay: DisplayID?,
            audience: Audience,
            simulator: (any Simulator)? = nil,
            metrics: DaemonMetrics? = nil,
            writeLimit: WriteLimit = WriteLimit(),
            now: @escaping @Sendable () -> Moment
        ) {
            self.access = access
            self.defaultDisplay = defaultDisplay
            self.audience = audience
            self.simulator = simulator
            self.metrics = metrics
            self.writeLimit = writeLimit
            self.now = now
        }
    }

    let service: DisplayService
    let commands: CommandHandler
    let history: HistoryRecorder
    let configuration: Configuration
    let kept = KeptResponses()
    var waiters = Waiters()
    private(set) var access: AccessPolicy
    let source: NotificationSource
    private let inbox: ShardInbox
    /// While somebody looks.
    private var listener: Listener?
    private var viewer: Viewer?

    /// - Parameter inbox: Woken when the hub has news for this shard.
    package init(
        _ service: DisplayService,
        _ source: NotificationSource,
        _ history: HistoryRecorder,
        _ configuration: Configuration,
        inbox: ShardInbox
    ) {
        self.service = service
        self.source = source
        commands = CommandHandler(service, source, defaultDisplay: configuration.defaultDisplay)
        self.history = history
        self.configuration = configuration
        access = configuration.access
        self.inbox = inbox
    }

    package func takeEvents() -> News {
        if let news = listener?.drainWhole() { return News(events(from: news), isEverything: false) }
        // A new mailbox begins with all that is retained. So it does for one that has forgotten something.
        let listener = listen()
        self.listener = listener
        viewer = viewer ?? configuration.audience.join()
        // Removals may be among what was missed.
        for id in waiters.displays where service.state(of: id) == nil { waiters.withdraw(id) }
        return News(events(from: listener.drain()), isEverything: true, endsAfter: listener.horizon.number)
    }

    private func listen() -> Listener {
        source.listen(
            to: Interest([.brightness, .boost, .ambient, .display, .health, .room]),
            withEnds: true
        ) { [inbox] in inbox.wake() }
    }

    private func events(from notifications: [BrightnessCore.Notification]) -> [Event] {
        notifications.flatMap { notification -> [Event] in
            if case .brightness(let state) = notification { waiters.tell(state, in: service.epoch) }
            if case .display(let id, .removed, _) = notification, service.state(of: id) == nil { waiters.withdraw(id) }
            let event = notification.event(epoch: service.epoch).map { [$0] } ?? []
            guard case .ambient(let ambient) = notification else { return event }
            return event + [ambient.sensorEvent]
        }
    }

    package var awaitsEvents: Bool { !waiters.isEmpty }

    /// A long poll begins: the mailbox that is opened then has whatever changed since its state was read.
    func awaitEvents() { if listener == nil { inbox.wake() } }

    /// Without a listener a change costs nothing here: nothing is posted, nobody is woken, nothing is encoded.
    package func lookAway() {
        listener = nil
        viewer = nil
    }

    package func mayTakeLong(_ request: Request) -> Bool {
        switch request.method {
        // A stream's holder may be news for every display.
        case .get, .head, .options, .other: Route(path: request.path)?.isStream ?? false
        case .post, .put, .patch, .delete: true
        }
    }

    package func refusal(of fault: RequestFault) -> Response { Problem(fault).response }

    package func reply(to request: Request) -> Reply {
        if access.admitsPlainly(request), let kept = unchangedState(request) { return .kept(kept) }
        let admission: AccessPolicy.Admission
        do {
            admission = try access.admit(request)
        } catch {
            return .now(error.response)
        }
        var fields = admission.allowedOrigin.map { CORS.fields(for: $0) } ?? []
        do {
            return try reply(to: request, admission, &fields).adding(fields)
        } catch {
            return Reply.now(error.response).adding(fields)
        }
    }

    /// - Parameter fields: What an answer must carry that is not made at once; the caller adds them to others.
    private func reply(
        to request: Request,
        _ admission: AccessPolicy.Admission,
        _ fields: inout [Response.Field]
    ) throws(Problem) -> Reply {
        if request.method == .options, request.path == "*" {
            return .now(Response(status: 204, fields: [("Allow", Route.allowSomewhere)]))
        }
        guard let route = Route(path: request.path) else {
            throw Problem(.notFound, "Nothing has the path \(request.path). /openapi.yaml lists what there is.")
        }
        let method = request.method == .head ? .get : request.method
        if method == .options {
            let preflight = admission.allowedOrigin == nil ? [] : CORS.preflight(request, allow: route.allow)
            return .now(Response(status: 204, fields: [("Allow", route.allow)] + preflight))
        }
        guard route.methods.contains(method) else {
            throw Problem(
                .methodNotAllowed,
                "\(request.path) knows \(route.allow).",
                fields: [("Allow", route.allow)]
            )
        }
        if let type = route.mediaType, !Accept.admits(type, in: request) {
            throw Problem(.notAcceptable, "What is here is \(type.name); the request's Accept excludes it.")
        }
        let authority = try access.check(
            admission,
            request,
            needs: route.scope(for: method),
            streams: route.isStream
        )
        if method == .get { return try read(route, request, authority, fields) }
        fields += try count(authority, at: request.client)
        return try write(route, method, request, authority, fields)
    }
}

extension Reply {
    /// The same answer with more header fields. A deferred one got them when it was made.
    fileprivate func adding(_ fields: [Response.Field]) -> Reply {
        if fields.isEmpty { return self }
        switch self {
        case .now(var response):
            response.fields += fields
            return .now(response)
        case .kept(let kept):
            return Reply.now(kept.response).adding(fields)
        case .later:
            return self
        case .stream(var stream):
            stream.fields += fields
            return .stream(stream)
        case .webSocket(var webSocket):
            webSocket.stream.fields += fields
            return .webSocket(webSocket)
        }
    }
}
