// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import HTTPServer

extension WebApplication {
    /// After so long a change is answered "accepted"; a slow panel may need longer to confirm it.
    private static let confirmation: Duration = .milliseconds(250)
    /// A boost is answered with its lease, which is worth waiting for.
    private static let grant: Duration = .seconds(5)

    func write(
        _ route: Route,
        _ method: Method,
        _ request: Request,
        _ fields: [Response.Field]
    ) throws(Problem) -> Reply {
        switch (route, method) {
        case (.brightness(let target), .put):
            return perform(try .set(from: request), on: try state(of: target), request, fields)
        case (.brightness(let target), _):
            return perform(try .adjust(from: request), on: try state(of: target), request, fields)
        case (.boosts(let target), _):
            return try boost(target, request, fields)
        case (.boost, _):
            return try boost(.byDefault, request, fields)
        case (.lease(let target, let id), .patch):
            let state = try state(of: target)
            return perform(try .renew(id, from: request), on: state, request, fields) { answer in
                answer.events.first.map { .json($0.lease.json) }
            }
        case (.lease(let target, let id), _):
            return perform(Command(.release(id)), on: try state(of: target), request, fields)
        case (.restore(let target), _):
            return perform(try .restore(from: request), on: try state(of: target), request, fields)
        case (.auto(let target), _):
            return try setAutomatic(try state(of: target), request)
        default:
            // Refused before: `Route.methods` has no others.
            throw Problem(.methodNotAllowed, "This cannot be written.", fields: [("Allow", route.allow)])
        }
    }

    private func boost(
        _ target: Route.Target,
        _ request: Request,
        _ fields: [Response.Field]
    ) throws(Problem) -> Reply {
        let state = try state(of: target)
        return perform(try .boost(from: request), on: state, request, fields, within: Self.grant) { answer in
            guard let event = answer.events.first else { return nil }
            let location = "/v1/displays/\(event.lease.display)/boosts/\(event.lease.id.text)"
            let isNew = event.change == .granted
            return .json(event.lease.json, status: isNew ? 201 : 200, fields: [("Location", location)])
        }
    }

    /// Carries out a command. The answer is the display's state, unless `render` has something better.
    private func perform(
        _ command: Command,
        on state: DisplayState,
        _ request: Request,
        _ fields: [Response.Field],
        within limit: Duration = confirmation,
        render: @escaping @Sendable (Answer) -> Response? = { _ in nil }
    ) -> Reply {
        let (service, id) = (self.service, state.id)
        var command = command
        command.onlyAt = revisions(wantedBy: request)
        let deferred = Deferred(limit: limit) {
            // Accepted; the event stream tells when it is so.
            .state(service.state(of: id) ?? state, in: service.epoch, status: 202).adding(fields)
        }
        service.submit(command, to: id, at: configuration.now()) { result in
            switch result {
            case .success(let answer):
                deferred.complete((render(answer) ?? .state(answer.state, in: service.epoch)).adding(fields))
            case .failure(let error):
                deferred.complete(Problem(error, display: id).response.adding(fields))
            }
        }
        return .later(deferred)
    }

    /// What `If-Match` names; `nil` if every revision will do.
    private func revisions(wantedBy request: Request) -> Set<Revision>? {
        let condition = request.header("If-Match").map { Condition($0, in: service.epoch, isStrong: true) }
        return condition?.isAny ?? true ? nil : condition?.revisions
    }

    /// Without a light sensor automatic brightness can be stopped, which it is, but not started.
    private func setAutomatic(_ state: DisplayState, _ request: Request) throws(Problem) -> Reply {
        var body = try RequestBody(of: request, isOptional: false)
        let isEnabled = try body.bool("enabled")
        try body.end()
        guard let isEnabled else { throw RequestBody.invalid("enabled", "Say true or false: {\"enabled\":false}.") }
        if let wanted = revisions(wantedBy: request), !wanted.contains(state.revision) {
            throw Problem(.otherRevision, display: state.id)
        }
        if isEnabled {
            throw Problem(.noLightSensor, "\(state.id) has no light sensor to follow. Nothing was changed.")
        }
        return .kept(kept.state(state, in: service.epoch))
    }
}
