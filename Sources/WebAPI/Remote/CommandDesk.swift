// SPDX-License-Identifier: Apache-2.0
package import BrightnessCore
import HTTPServer

/// Carries out what is asked over another transport than HTTP, with the bodies, answers and problem documents of REST.
/// Any thread.
///
/// It asks nobody who they are: whoever calls it has decided that they may. It counts them all as one, the broker.
package struct CommandDesk: Sendable {
    /// What REST would answer with.
    package struct Reply: Sendable {
        package let body: [UInt8]
        package let isProblem: Bool

        package var mediaType: String { isProblem ? "application/problem+json" : "application/json" }

        init(_ result: Result<[UInt8], Problem>) {
            switch result {
            case .success(let body): (self.body, isProblem) = (body, false)
            case .failure(let problem): (body, isProblem) = (problem.json, true)
            }
        }
    }

    package typealias Completion = @Sendable (Reply) -> Void
    private typealias Request = (command: Command, shape: CommandAnswer.Shape)

    private let service: DisplayService
    private let source: NotificationSource
    /// What a change of the baseline is told to come from.
    private let channel: Cause.Kind
    private let limit: WriteLimit

    package init(
        _ service: DisplayService,
        _ source: NotificationSource,
        channel: Cause.Kind,
        limit: WriteLimit
    ) {
        self.service = service
        self.source = source
        self.channel = channel
        self.limit = limit
    }

    /// - Parameters:
    ///   - display: An id, or `all` for every display of this machine.
    ///   - body: JSON text; nothing counts as `{}`.
    ///   - completion: Called once, on any thread, when the panel has done it or refused.
    package func carryOut(
        _ method: RemoteMethod,
        on display: String,
        _ body: [UInt8],
        at now: Moment,
        completion: @escaping Completion
    ) {
        carryOut(on: display, body, at: now, completion: completion) { body, displays throws(Problem) in
            guard let request = try method.command(from: body, lifespan: .custom) else {
                throw Problem(.notFound, "\(method.rawValue) is not to be had here.")
            }
            guard display != "all" || !method.isOfOneDisplay else { throw .unknownDisplay(display) }
            return (try source.admitting(request.0, for: displays), request.1)
        }
    }

    /// A light's command, as Home Assistant's JSON schema has it, for one display.
    package func turnLight(
        on display: String,
        _ body: [UInt8],
        at now: Moment,
        completion: @escaping Completion
    ) {
        carryOut(on: display, body, at: now, completion: completion) { body, displays throws(Problem) in
            guard display != "all", let state = displays.first else { throw .unknownDisplay(display) }
            return (try .light(from: body, showing: state), .state)
        }
    }

    private func carryOut(
        on display: String,
        _ body: [UInt8],
        at now: Moment,
        completion: @escaping Completion,
        reading read: (RequestBody, [DisplayState]) throws(Problem) -> Request
    ) {
        do throws(Problem) {
            try limit.countBroker(at: now.instant)
            guard body.count <= RequestLimits.body else { throw .largeBody }
            let body = try body.isEmpty ? RequestBody(params: [:], by: nil) : RequestBody(parsing: body)
            let displays = try displays(display)
            let request = try read(body, displays)
            var command = request.command
            command.channel = channel
            // The broker decides who may publish commands; a gateway has checked whose a lease is.
            command.asker = Asker(.mqtt, isAdmin: true)
            let answers = CommandAnswers(from: displays.map(\.id), service, isForAll: display == "all")
            answers.submit(command, as: request.shape, at: now) { completion(Reply(answers.result)) }
        } catch {
            completion(Reply(.failure(error)))
        }
    }

    /// Only those of this machine: what another daemon has is asked of that one.
    private func displays(_ text: String) throws(Problem) -> [DisplayState] {
        if text == "all" { return service.all.states.filter { $0.kind != .remote } }
        guard let state = DisplayID(text).flatMap({ service.state(of: $0) }), state.kind != .remote else {
            throw .unknownDisplay(text)
        }
        return [state]
    }
}
