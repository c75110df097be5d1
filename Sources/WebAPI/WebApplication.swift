// SPDX-License-Identifier: Apache-2.0
package import BrightnessCore
package import HTTPServer
package import Journal

/// The API and the dashboard of one shard: checks access and routes each request to its resource.
///
/// One instance per shard, on that shard's thread. Commands go to the `DisplayService`; events come from the hub.
package final class WebApplication: Application {
    package typealias Configuration = Backend.Configuration

    private static let router = Router(Resource.all)

    private let backend: Backend
    @exclusivity(unchecked) private var access: AccessPolicy
    /// The notifications that become events in one call, which takes about 2 ms.
    private static let batch = 128

    /// Open while a client has a stream.
    private var feed: NotificationFeed {
        didSet { backend.receivesEvents = feed.isOpen }
    }
    private var presets = ThingEvents<Preset>("preset", name: \.name)
    private var schedules = ThingEvents<ScheduleState>("schedule", name: \.schedule.name)
    /// Notifications that were drained, and are not events yet.
    private var waiting: ArraySlice<BrightnessCore.Notification> = []

    /// - Parameter inbox: Woken when the hub has notifications for this shard.
    package init(_ surface: Surface, history: HistoryRecorder, configuration: Configuration, inbox: ShardInbox) {
        backend = Backend(surface, history: history, configuration: configuration) { inbox.wake() }
        access = configuration.access
        let filter = NotificationFilter(BrightnessCore.Notification.kindsOfEvents)
        feed = NotificationFeed(surface.source, filter, withEnds: true, viewers: surface.viewers) { inbox.wake() }
    }

    // MARK: Requests

    package func reply(to request: Request) -> Reply {
        if access.admitsPlainly(request), let cached = backend.unchangedState(request) { return .cached(cached) }
        let origin: AccessPolicy.OriginCheck
        do {
            origin = try access.admit(request)
        } catch {
            backend.log(error, request.logText)
            return .now(error.response)
        }
        let fields = origin.allowedOrigin.map { CORS.fields(for: $0) } ?? []
        do {
            let reply = try reply(to: request, origin)
            return fields.isEmpty || reply.isForEveryOrigin ? reply : reply.adding(fields)
        } catch {
            backend.log(error, request.logText)
            return .now(error.adding(fields).response)
        }
    }

    private func reply(to request: Request, _ origin: AccessPolicy.OriginCheck) throws(Problem) -> Reply {
        if request.method == .options, request.path == "*" {
            return .now(Response(status: 204, fields: [("Allow", Router.allowSomewhere), ("Vary", "Origin")]))
        }
        guard let match = Self.router.match(request.path) else {
            // A guess costs as much as many requests.
            let caller = try access.authorize(origin, request, needs: nil, streams: false)
            let mayRead = (try? caller.require(.read)) != nil
            throw .pathNotFound(request.path, nearest: mayRead ? Self.router.nearest(to: request.path) : nil)
        }
        let resource = match.resource
        let method = request.method == .head ? .get : request.method
        if method == .options {
            let preflight = origin.allowedOrigin == nil ? [] : CORS.preflight(request, allow: resource.allow)
            return .now(Response(status: 204, fields: [("Allow", resource.allow), ("Vary", "Origin")] + preflight))
        }
        guard let operation = resource.operation(method) else {
            throw Problem(
                .methodNotAllowed,
                "\(request.path) supports \(resource.allow).\(Self.router.advice(for: method, at: request.path))",
                fields: [("Allow", resource.allow)]
            )
        }
        let alternative = method == .get ? resource.alternative : nil
        if let type = resource.mediaType, !Accept.admits(type, in: request),
            !(alternative.map { Accept.admits($0, in: request) } ?? false)
        {
            let names = [type, alternative].compactMap { $0?.name }.joined(separator: " or ")
            throw Problem(.notAcceptable, "The resource is \(names), which the Accept field of the request excludes.")
        }
        let caller = try access.authorize(
            origin,
            request,
            needs: operation.scope,
            streams: resource.isStream
        )
        let context = RequestContext(
            backend: backend,
            match: match,
            request: request,
            caller: caller,
            foreignOrigin: origin.foreignOrigin
        )
        return method == .get ? try operation.handler(context) : try write(operation, in: context)
    }

    /// Executes a write within the client's rate limit.
    private func write(_ operation: Operation, in context: RequestContext) throws(Problem) -> Reply {
        let limit = backend.configuration.writeLimit
        let fields = try limit.count(context.caller, at: context.request.client, now: backend.surface.now)
        do throws(Problem) {
            switch operation.reach {
            case .displays: break
            case .machine: try context.caller.requireMachine()
            case .ownDisplays: try context.caller.requireMachine(backend.service.own)
            }
            try context.checkFields()
            if !operation.isConditional, !context.precondition.isEmpty {
                throw .conditionFailed("This resource has no entity tag that a condition could name.")
            }
            try context.checkCommandQuery()
            return try operation.handler(context).adding(fields)
        } catch {
            throw error.adding(fields)
        }
    }

    package func bodyLimit(of request: Request) -> Int {
        guard request.method == .put, request.path == Resource.configuration.path.text,
            let origin = try? access.admit(request),
            let caller = try? access.authorize(origin, request, needs: .write, streams: false),
            (try? caller.require(.admin)) != nil
        else { return RequestLimits.body }
        return ConfigurationDocument.longest
    }

    /// Every request that is answered neither from a cache nor at constant cost.
    package func mayTakeLong(_ request: Request) -> Bool {
        if backend.unchangedState(request) != nil { return false }
        guard request.method == .get || request.method == .head else { return true }
        return !(Self.router.match(request.path)?.resource.hasConstantCost ?? false)
    }

    package func refusal(of error: RequestError) -> Response { Problem(error).response }

    package func endTurn() { backend.turn.end() }

    // MARK: Events

    package func takeEvents() -> EventBatch {
        if !waiting.isEmpty {
            var batch = nextBatch()
            // The mailbox may have new ones, whose wake is used up.
            batch.isFollowed = true
            return batch
        }
        if feed.isOpen, let notifications = feed.take() {
            waiting = notifications[...]
            return nextBatch()
        }
        // The feed is closed, or has missed some: it begins with everything retained.
        feed.begin()
        presets.forget()
        schedules.forget()
        // Removals may be among what was missed.
        for id in backend.longPolls.displays where backend.service.state(of: id) == nil {
            backend.longPolls.withdraw(id)
        }
        waiting = feed.drain()[...]
        var batch = nextBatch()
        (batch.replacesAll, batch.endsKnownSince) = (true, feed.endsKnownSince.number)
        return batch
    }

    private func nextBatch() -> EventBatch {
        let notifications = waiting.prefix(Self.batch)
        waiting.removeFirst(notifications.count)
        return EventBatch(events(from: notifications), isFollowed: !waiting.isEmpty)
    }

    private func events(from notifications: ArraySlice<BrightnessCore.Notification>) -> [Event] {
        let service = backend.service
        return notifications.flatMap { notification -> [Event] in
            if case .state(let state) = notification { backend.longPolls.notify(state, in: service.epoch) }
            if case .display(let id, .removed, _) = notification, service.state(of: id) == nil {
                backend.longPolls.withdraw(id)
            }
            let event = notification.event(epoch: service.epoch).map { [$0] } ?? []
            return switch notification {
            case .ambient(let ambient): event + [ambient.sensorEvent]
            case .presets(let presets): self.presets.change(to: presets)
            case .schedules(let report): event + schedules.change(to: report.schedules)
            default: event
            }
        }
    }

    package var eventEncoding: EventEncoding { .json }

    package var awaitsEvents: Bool { !backend.longPolls.isEmpty }

    package func evicted(_ streams: UInt64) {
        let closed = streams == 1 ? "1 stream" : "\(streams) streams"
        backend.configuration.warn(
            "closed \(closed): more bytes were pending for all clients than allowed, and theirs were the most"
        )
    }

    /// Stops receiving notifications: without a listener a change costs this shard nothing.
    package func stopObserving() {
        feed.end()
        waiting = []
    }
}
