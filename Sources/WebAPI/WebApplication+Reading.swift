// SPDX-License-Identifier: Apache-2.0
import BrightnessAPI
import BrightnessCore
import HTTPServer

extension WebApplication {
    /// The way of most requests: the state of a display that has not changed since the last one asked.
    func unchangedState(_ request: Request) -> KeptResponse? {
        guard request.method == .get, let kept = kept.response(at: request.pathText, service.revision),
            request.frequent.ifNoneMatch == nil, Accept.admits(Route.json, in: request)
        else { return nil }
        return kept
    }

    func read(
        _ route: Route,
        _ request: Request,
        _ authority: Authority,
        _ fields: [Response.Field]
    ) throws(Problem) -> Reply {
        switch route {
        case .events:
            return .stream(try stream(request, authority))
        case .sensorEvents:
            return .stream(sensorStream(authority))
        case .sensor(let name): return .now(try sensor(name))
        case .history:
            return try history(request, fields)
        case .webSocket:
            return try webSocket(request, authority)
        case .metrics:
            return try metrics(fields)
        case .live:
            return .now(Response(status: 200, fields: [("Content-Type", "text/plain")], body: Array("ok\n".utf8)))
        case .file(let file):
            return .kept(kept.file(file, isCompressed: Gzip.isAdmitted(by: request)))
        case .problem(let type):
            return .now(Response.text("\(type.title) (\(type.status))\n\n\(type.explanation)\n"))
        case .caller: return .now(.json(authority.json))
        case .ambient: return .now(try ambient())
        case .simulator: return .now(try room())
        case .ready: return .now(readiness)
        case .displays: return displays(request)
        case .display(let target), .brightness(let target): return try state(of: target, request, fields)
        case .boosts(let target): return .now(boosts(of: try commands.state(of: target).id))
        case .lease(let target, let id): return .now(try lease(id, of: try commands.state(of: target).id, authority))
        case .boost, .restore, .auto:
            // Refused before: they cannot be read.
            throw Problem(.methodNotAllowed, "This cannot be read.", fields: [("Allow", route.allow)])
        }
    }

    private func state(
        of target: DisplayTarget,
        _ request: Request,
        _ fields: [Response.Field]
    ) throws(Problem) -> Reply {
        // Read before the state: an answer is never kept for a newer revision than it shows.
        let revision = service.revision
        let state = try commands.state(of: target)
        let condition = request.header("If-None-Match").map { Condition($0, in: service.epoch) }
        guard condition?.holds(for: state.revision) ?? false else {
            let response = kept.state(state, in: service.epoch)
            kept.keep(response, at: request.path, revision)
            return .kept(response)
        }
        let unchanged = Response.unchanged(EntityTag(service.epoch, state.revision))
        guard let seconds = try wait(request), seconds > 0 else { return .now(unchanged) }
        awaitEvents()
        return .later(waiters.add(state, in: service.epoch, for: .seconds(seconds), otherwise: unchanged, fields))
    }

    /// `wait=30`: for how long the client lets its answer be held back.
    private func wait(_ request: Request) throws(Problem) -> Double? {
        guard let text = request.query("wait") else { return nil }
        guard let seconds = Double(text), (0...60).contains(seconds) else {
            throw Problem(.malformedQuery, "wait is a number of seconds from 0 to 60.")
        }
        return seconds
    }

    private func displays(_ request: Request) -> Reply {
        let (revision, states) = service.all
        let tag = EntityTag(service.epoch, revision)
        let condition = request.header("If-None-Match").map { Condition($0, in: service.epoch) }
        if condition?.holds(for: revision) ?? false { return .now(.unchanged(tag)) }
        return .kept(kept.displays(states, tag))
    }

    /// The document of one display, or of all.
    func document(of target: DisplayTarget) throws(Problem) -> [UInt8] {
        guard target == .all else { return kept.state(try commands.state(of: target), in: service.epoch).response.body }
        let (revision, states) = service.all
        return kept.displays(states, EntityTag(service.epoch, revision)).response.body
    }

    private func boosts(of id: DisplayID) -> Response {
        .json((service.boosts(of: id) ?? BoostTable(display: id)).json)
    }

    private func lease(_ lease: LeaseID, of id: DisplayID, _ authority: Authority) throws(Problem) -> Response {
        do throws(LeaseError) {
            guard let lease = try service.boosts(of: id)?.lease(lease, for: authority.asker) else {
                throw LeaseError.unknown
            }
            return .json(lease.json)
        } catch {
            throw Problem(.lease(error), display: id)
        }
    }

    private var readiness: Response {
        let health = source.health
        return .json(health.json, status: health.isReady ? 200 : 503)
    }
}

extension NotificationSource {
    fileprivate var health: Health {
        guard case .health(let health) = retained(.health) else { return Health() }
        return health
    }
}
