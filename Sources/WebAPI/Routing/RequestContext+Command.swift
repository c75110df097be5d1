// SPDX-License-Identifier: Apache-2.0
import BrightnessAPI
import BrightnessCore
import HTTPServer

extension RequestContext {
    /// After so long a change is answered "accepted"; a slow panel may need longer to confirm it.
    private static let confirmation: Duration = .milliseconds(250)
    /// A boost is answered with its lease, which is worth waiting for.
    private static let grant: Duration = .seconds(5)

    /// Carries out a command on the display of the path, or on all.
    func perform(
        _ command: Command,
        answering kind: CommandExecution.ResponseKind = .state
    ) throws(Problem) -> Reply {
        let (service, configuration) = (backend.service, backend.configuration)
        var command = command
        command.asker = authority.asker
        command.by = command.by ?? authority.name
        command.onlyAt = wantedRevisions
        let execution = try backend.commands.execution(of: command, answering: kind, on: target)
        let now = configuration.now()
        let key = try idempotencyKey
        if let key, let known = try answer(under: key, at: now) { return .now(known) }
        let epoch = service.epoch
        let deferred = Deferred(limit: kind == .lease ? Self.grant : Self.confirmation) {
            // Accepted where there is no answer yet; the event stream reports when it is done.
            Response(execution, in: epoch)
        }
        execution.start(at: now) { [idempotency = configuration.idempotency] in
            let response = Response(execution, in: epoch)
            if let key { idempotency.end(key, response) }
            deferred.complete(response)
        }
        return .later(deferred)
    }

    /// The revisions that `If-Match` names; `nil` if every revision will do.
    private var wantedRevisions: Set<Revision>? {
        let condition = request.header("If-Match").map { Condition($0, in: backend.service.epoch, isStrong: true) }
        return condition?.isAny ?? true ? nil : condition?.revisions
    }

    /// What a POST names so that it can be repeated; other methods can be repeated anyway.
    private var idempotencyKey: IdempotencyStore.Key? {
        get throws(Problem) {
            guard request.method == .post, let key = request.header("Idempotency-Key") else { return nil }
            guard (1...255).contains(key.utf8.count) else {
                throw Problem(.malformedField, "An Idempotency-Key has 1 to 255 bytes. Nothing was changed.")
            }
            return IdempotencyStore.Key(key, of: authority.principal)
        }
    }

    /// The first answer, if this is a repetition; `nil` if the request is to be carried out.
    private func answer(under key: IdempotencyStore.Key, at now: Moment) throws(Problem) -> Response? {
        let asked = IdempotencyStore.Asked(request.wholeTarget, request.body)
        switch backend.configuration.idempotency.begin(key, asked, at: now) {
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
}
