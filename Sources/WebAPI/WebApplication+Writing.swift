// SPDX-License-Identifier: Apache-2.0
import BrightnessAPI
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
        _ authority: Authority,
        _ fields: [Response.Field]
    ) throws(Problem) -> Reply {
        func body(isOptional: Bool = false) throws(Problem) -> RequestBody {
            try RequestBody(of: request, by: authority.name, isOptional: isOptional)
        }
        func perform(
            _ command: Command,
            on target: DisplayTarget,
            _ shape: CommandExecution.ResponseKind = .state
        ) throws(Problem) -> Reply {
            try self.perform(command, on: target, request, authority, fields, shape)
        }
        switch (route, method) {
        case (.brightness(let target), .put):
            return try perform(.set(from: body()), on: target)
        case (.brightness(let target), _):
            return try perform(.adjust(from: body()), on: target)
        case (.boosts(let target), _):
            return try perform(.boost(from: body(isOptional: true)), on: target, .lease)
        case (.boost, _):
            return try perform(.boost(from: body(isOptional: true)), on: .byDefault, .lease)
        case (.lease(let target, let id), .patch):
            return try perform(.renew(id, from: body()), on: target, .lease)
        case (.lease(let target, let id), _):
            return try perform(Command(.release(id)), on: target)
        case (.restore(let target), _):
            let restore = try Command.restore(from: body(isOptional: true))
            try authority.require(restore.scope)
            return try perform(restore, on: target)
        case (.auto(let target), _):
            let command = try Command.setAutomatic(from: body())
            return try perform(command, on: target)
        case (.simulator, _):
            return .now(try changeRoom(request))
        default:
            // Refused before: `Route.methods` has no others.
            throw Problem(.methodNotAllowed, "This cannot be written.", fields: [("Allow", route.allow)])
        }
    }

    /// Counts a change that somebody asks for.
    ///
    /// - Returns: What an answer must carry.
    func count(_ authority: Authority, at client: ClientAddress) throws(Problem) -> [Response.Field] {
        try configuration.writeLimit.count(authority, at: client, now: configuration.now)
    }

    /// Carries out a command on one display, or on all.
    private func perform(
        _ command: Command,
        on target: DisplayTarget,
        _ request: Request,
        _ authority: Authority,
        _ fields: [Response.Field],
        _ shape: CommandExecution.ResponseKind = .state
    ) throws(Problem) -> Reply {
        var command = command
        command.asker = authority.asker
        command.by = command.by ?? authority.name
        command.onlyAt = revisions(wantedBy: request)
        let execution = try commands.execution(of: command, answering: shape, on: target)
        let now = configuration.now()
        let key = try idempotencyKey(request, of: authority.principal)
        if let key, let known = try answer(to: request, under: key, at: now) { return .now(known) }
        let epoch = service.epoch
        let deferred = Deferred(limit: shape == .lease ? Self.grant : Self.confirmation) {
            // Accepted where there is no answer yet; the event stream tells when it is so.
            Response(execution, in: epoch).adding(fields)
        }
        execution.start(at: now) { [idempotency = configuration.idempotency] in
            let response = Response(execution, in: epoch)
            if let key { idempotency.end(key, response) }
            deferred.complete(response.adding(fields))
        }
        return .later(deferred)
    }

    /// What a POST names so that it can be repeated; other methods can be repeated anyway.
    private func idempotencyKey(_ request: Request, of principal: Principal) throws(Problem) -> IdempotencyStore.Key? {
        guard request.method == .post, let key = request.header("Idempotency-Key") else { return nil }
        guard (1...255).contains(key.utf8.count) else {
            throw Problem(.malformedField, "An Idempotency-Key has 1 to 255 bytes. Nothing was changed.")
        }
        return IdempotencyStore.Key(key, of: principal)
    }

    /// The first answer, if this is a repetition; `nil` if it is to be carried out.
    private func answer(
        to request: Request,
        under key: IdempotencyStore.Key,
        at now: Moment
    ) throws(Problem) -> Response? {
        let asked = IdempotencyStore.Asked(request.wholeTarget, request.body)
        switch configuration.idempotency.begin(key, asked, at: now) {
        case .carryOut:
            return nil
        case .answer(let response):
            return response
        case .isRunning:
            throw .retry(.stillRunning, "The first request with this Idempotency-Key is still under way.", after: 1)
        case .isOther:
            throw Problem(.keyReused, "This Idempotency-Key was used for another request. Nothing was changed.")
        }
    }

    /// What `If-Match` names; `nil` if every revision will do.
    private func revisions(wantedBy request: Request) -> Set<Revision>? {
        let condition = request.header("If-Match").map { Condition($0, in: service.epoch, isStrong: true) }
        return condition?.isAny ?? true ? nil : condition?.revisions
    }
}
