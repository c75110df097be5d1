// SPDX-License-Identifier: Apache-2.0
import BrightnessAPI
import BrightnessCore
import HTTPServer

extension RequestContext {
    /// Carries out a command on the displays of the path that the caller may change.
    func perform(
        _ command: Command,
        answering kind: CommandExecution.ResponseKind = .state
    ) throws(Problem) -> Reply {
        let configuration = backend.configuration
        var command = command
        command.requester = caller.requester
        command.by = command.by ?? caller.name
        command.onlyAt = wantedRevisions
        let now = configuration.now()
        let key = try idempotencyKey
        // First: the display may have been removed since the response was lost.
        if let key, let known = try answer(under: key, at: now) { return .now(known) }
        let isLarge = backend.isLarge(target, beyond: LargeCommands.fewDisplays)
        let work = CommandWork(
            command: command,
            kind: kind,
            target: target,
            limit: caller.limit,
            key: key,
            // The request is valid only until this returns.
            requestText: configuration.logRefusal == nil ? "" : request.logText,
            commands: backend.commands,
            service: backend.service,
            configuration: configuration
        )
        do throws(Problem) {
            return isLarge ? try work.replyLater() : try work.reply(at: now)
        } catch {
            if let key { configuration.idempotency.forget(key) }
            throw error
        }
    }

    /// The revisions in `If-Match`; `nil` if every revision matches.
    private var wantedRevisions: Set<Revision>? {
        let condition = request.list("If-Match").map { Condition($0, in: backend.service.epoch, isStrong: true) }
        return condition?.isAny ?? true ? nil : condition?.revisions
    }

    /// The `Idempotency-Key` of a POST; other methods are idempotent.
    private var idempotencyKey: IdempotencyRecords.Key? {
        get throws(Problem) {
            guard request.method == .post, let key = request.header("Idempotency-Key") else { return nil }
            guard (1...255).contains(key.utf8.count) else {
                throw Problem(.invalidRequest, "Idempotency-Key must have 1 to 255 bytes. Nothing was changed.")
            }
            return IdempotencyRecords.Key(key, of: caller.principal)
        }
    }

    /// Returns the stored response of a repeated request; `nil` for a new one.
    private func answer(under key: IdempotencyRecords.Key, at now: Moment) throws(Problem) -> Response? {
        let fingerprint = IdempotencyRecords.Fingerprint(request.wholeTarget, request.body)
        switch backend.configuration.idempotency.begin(key, fingerprint, at: now) {
        case .carryOut:
            return nil
        case .answer(let response):
            return response
        case .isRunning:
            throw .retry(
                .idempotencyKeyInUse,
                "The first request with this Idempotency-Key has no response yet. Repeat it in 1 s.",
                after: 1
            )
        case .isDropped:
            throw Problem(
                .idempotencyResponseDropped,
                "The first request with this Idempotency-Key was carried out. Its response is no longer stored. GET "
                    + "the displays for their current state. Nothing was changed."
            )
        case .isFull(let end):
            let seconds = max(1, Int((end - now.instant) / .seconds(1)))
            throw .retry(
                .clientLimitReached,
                "At most \(IdempotencyRecords.keysOfPrincipal) keys of a principal are stored, for 10 minutes each. "
                    + "Nothing was changed.",
                after: seconds
            )
        case .isOther:
            throw Problem(
                .idempotencyKeyReused,
                "This Idempotency-Key was used for another path or body. Use a new key. Nothing was changed."
            )
        }
    }
}
