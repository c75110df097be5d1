// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import HTTPServer
import Synchronization

/// The JSON-RPC 2.0 session of one WebSocket. Its calls have the effects of the REST resources.
final class JSONRPCSession: WebSocketHandler {
    /// A call without a result by then gets an error. Only a panel that hangs takes this long.
    private static let timeout: Duration = .seconds(30)

    var rules: MessageRules { MessageRules(longest: RequestLimits.body) }
    private let backend: Backend
    private let caller: Caller
    private let client: ClientAddress
    /// The holder of calls that name none: the one of `holder=`, else the token's name, else a random one.
    private lazy var holder = caller.name ?? "websocket-\(String(UInt64.random(in: .min ... .max), radix: 16))"
    /// Keeps the holder's `visible` leases while this object exists.
    private var holderStream: HolderConnection?
    private let unanswered = UnansweredCommands()
    private lazy var waitingCalls = WaitingCalls(backend, caller, at: client)
    private var channel: WebSocketChannel?
    /// Set once the client provides a display.
    private var provider: CallingProvider?

    init(with backend: Backend, _ caller: Caller, at client: ClientAddress, holder: String?) {
        self.backend = backend
        self.caller = caller
        self.client = client
        guard let holder else { return }
        self.holder = holder
        connectHolder()
    }

    private func connectHolder() { holderStream = holderStream ?? backend.connection(of: [holder], caller.principal) }

    deinit {
        guard let provider else { return }
        provider.end()
        backend.configuration.provided?.ended(provider, at: backend.configuration.now())
    }

    // MARK: Messages

    func opened(_ channel: WebSocketChannel) { self.channel = channel }

    func receive(_ message: Message) -> MessageOutcome {
        guard case .text(let text) = message else { return MessageOutcome(.none) }
        do {
            return answer(try JSONValue.parse(text))
        } catch {
            let answer = JSONRPCCall.response(.failure(.unreadable(error)), to: JSONRPCCall.null)
            return MessageOutcome(.now(.text(answer.body)))
        }
    }

    private func answer(_ value: JSONValue) -> MessageOutcome {
        guard let call = parse(value) else { return MessageOutcome(.none) }
        guard let id = call.answeredID else {
            return MessageOutcome(.none, subscription: handle(call) { _ in })
        }
        let deferred = Deferred(limit: Self.timeout) { JSONRPCCall.response(.failure(.unanswered), to: id) }
        let subscription = handle(call) { deferred.complete(JSONRPCCall.response($0, to: id)) }
        return MessageOutcome(.later(deferred), subscription: subscription)
    }

    /// Reads a call. Returns `nil` for an answer to a call of the daemon.
    private func parse(_ value: JSONValue) -> Result<JSONRPCCall, JSONRPCCall.Invalid>? {
        guard let answer = JSONRPCResponse(value) else {
            return Result { () throws(JSONRPCCall.Invalid) in try JSONRPCCall(value) }
        }
        if provider?.answered(answer) ?? false { return nil }
        return .failure(JSONRPCCall.Invalid(id: JSONRPCCall.null, error: .unknownResponse(answer.id)))
    }

    // MARK: Calls

    private typealias Completion = @Sendable (Result<Response, JSONRPCError>) -> Void

    /// - Parameter completion: Called once, on any thread.
    private func handle(
        _ call: Result<JSONRPCCall, JSONRPCCall.Invalid>,
        completion: @escaping Completion
    ) -> StreamRequest? {
        do throws(JSONRPCError) {
            let call = try call.mapError(\.error).get()
            guard let method = JSONRPCMethod(call.method) else { throw .unknownMethod(call.method) }
            do throws(Problem) {
                return try dispatch(method, with: call.params, completion: completion)
            } catch {
                backend.log(error, "WebSocket \(call.method.plain(upTo: 32))")
                throw JSONRPCError(error)
            }
        } catch {
            completion(.failure(error))
            return nil
        }
    }

    private func dispatch(
        _ method: JSONRPCMethod,
        with params: [String: JSONValue],
        completion: @escaping Completion
    ) throws(Problem) -> StreamRequest? {
        switch method {
        case .get:
            var body = RequestBody(params: params, by: nil)
            let target = try body.target()
            try body.end()
            let revision = backend.service.revision
            let displays = try backend.commands.displays(of: target)
            if displays.states.count > LargeCommands.fewDisplays {
                try answerLater(with: target, completion: completion)
            } else {
                completion(.result(backend.document(of: target, displays, at: revision)))
            }
            return nil
        case .subscribe:
            let (subscription, answer) = try backend.subscription(from: RequestBody(params: params, by: nil))
            completion(.result(answer))
            return subscription
        case .provide, .changed, .withdraw:
            try countWrite()
            try provide(method, from: RequestBody(params: params, by: nil), completion: completion)
            return nil
        case .command(let method):
            try caller.require(.write)
            let body = RequestBody(params: params, by: holder)
            try execute(method, from: body, completion: completion)
            return nil
        }
    }

    private func countWrite() throws(Problem) {
        try caller.require(.write)
        _ = try backend.configuration.writeLimit.count(caller, at: client, now: backend.configuration.now)
    }

    private func execute(
        _ method: CommandMethod,
        from body: consuming RequestBody,
        completion: @escaping Completion
    ) throws(Problem) {
        let target = try method.isOfOneDisplay ? body.singleTarget() : body.target(orElse: method.defaultTarget)
        var (command, kind) = try method.command(from: body, lifespan: .visible)
        command.requester = caller.requester
        command.by = command.by ?? caller.name
        try caller.require(command.scope)
        let isWithinWriteLimit = waitingCalls.isEmpty && (try? countWrite()) != nil
        let displays = try backend.commands.displays(of: target, within: caller.limit)
        let number = displays.isList ? displays.states.count : 0
        if command.mayNeedConnection(of: holder) { connectHolder() }
        let isQueued = number > LargeCommands.fewDisplays || unanswered.queued.load(ordering: .relaxed) > 0
        // Before the spend below: a rejected command is not counted as unanswered.
        let execution = isQueued ? nil : try backend.commands.execution(of: command, answering: kind, on: displays)
        guard unanswered.withLock({ $0.spend(number) }) else {
            throw .retry(
                .clientLimitReached,
                "At most \(CallAllowance.callLimit) calls of a WebSocket may be unanswered, and calls for several "
                    + "displays count at most \(CallAllowance.displayLimit) displays together. Nothing was changed.",
                after: 1
            )
        }
        let call = WaitingCalls.Call(command: command, kind: kind, target: target) { [unanswered] result in
            unanswered.withLock { $0.release(number) }
            completion(result.flatMap { .result($0) })
        }
        if !isWithinWriteLimit {
            waitingCalls.keep(call, as: .init(method: method, target: target))
        } else if let execution {
            waitingCalls.start(execution, of: call)
        } else {
            executeLater(call)
        }
    }

    /// Executes a command on the thread of large ones: one for many displays, or one behind such a command of this
    /// client.
    private func executeLater(_ call: WaitingCalls.Call) {
        unanswered.queued.add(1, ordering: .relaxed)
        do throws(Problem) {
            try backend.configuration.largeCommands.submit { [unanswered, waitingCalls] in
                waitingCalls.execute(call, isLarge: true)
                unanswered.queued.subtract(1, ordering: .relaxed)
            }
        } catch {
            unanswered.queued.subtract(1, ordering: .relaxed)
            call.completion(.failure(JSONRPCError(error)))
        }
    }

    /// Answers with the states of many displays, which another thread encodes.
    private func answerLater(with target: DisplayTarget, completion: @escaping Completion) throws(Problem) {
        let (commands, service) = (backend.commands, backend.service)
        try backend.configuration.sharedResponses.make("JSON-RPC \(target)") { () throws(Problem) in
            let revision = service.revision
            let states = try commands.displays(of: target).states
            return (Response(status: 200, body: DisplayState.list(states, at: revision, in: service.epoch)), nil)
        } completion: { result in
            completion(result.mapError { JSONRPCError($0) })
        }
    }

    /// Carries out a call of a client that provides displays.
    private func provide(
        _ method: JSONRPCMethod,
        from body: consuming RequestBody,
        completion: @escaping Completion
    ) throws(Problem) {
        guard let provided = backend.configuration.provided, let channel else {
            throw Problem(.notFound, "This daemon accepts no displays of clients.")
        }
        let (now, principal) = (backend.configuration.now(), caller.principal)
        if case .provide = method {
            let display = try ProvidedDisplay(from: body)
            try requireLimit(includes: display.id)
            let provider = provider ?? CallingProvider(channel)
            self.provider = provider
            return provided.provide(display, by: provider, of: principal, at: now) { result in
                completion(result.mapError { JSONRPCError(Problem($0)) }.flatMap { .result($0.json) })
            }
        }
        let done: @Sendable () -> Void = { completion(.result(Array("{}".utf8))) }
        if case .changed = method {
            let change = try ProvidedChange(from: body)
            guard let provider else { throw Problem(.unknown(change.display)) }
            try Problem.converting { () throws(ProvidingError) in
                try provided.changed(
                    change.display,
                    brightness: change.brightness,
                    isOn: change.isOn,
                    by: provider
                )
            }
            done()
        } else {
            var body = body
            let id = try body.displayID("display")
            let display = try body.end(requiring: id, "display", "display is required: the id of provide.")
            try Problem.converting { () throws(ProvidingError) in
                try provided.withdraw(display, of: principal, by: provider, at: now) { [provider] in
                    provider?.forget(display)
                    done()
                }
            }
        }
    }

    private func requireLimit(includes id: DisplayID) throws(Problem) {
        guard let limit = caller.limit, !limit.includes(id) else { return }
        throw .outsideLimit(limit, "may not provide \(id)")
    }
}

extension Command {
    /// Whether the command's lease may need this holder's connection. A renewal does not name the lease's holder, so
    /// any renewal to `visible` may.
    fileprivate func mayNeedConnection(of holder: String) -> Bool {
        switch action {
        case .grant: by == holder
        case .renew(_, let change): change.lifespan == .visible
        default: false
        }
    }
}

extension Backend {
    /// Reads the params of `subscribe`: the new filter, and the response.
    fileprivate func subscription(
        from body: consuming RequestBody
    ) throws(Problem) -> (StreamRequest, answer: [UInt8]) {
        let types = try body.strings("types") ?? []
        let displays = try body.strings("display") ?? []
        let groups = try body.strings("group") ?? []
        let tags = try body.strings("tag") ?? []
        let last = try body.string("last_event_id", length: 0...256)
        try body.end()
        let filter = try filter(types: types, displays: displays, groups: groups, tags: tags) {
            RequestBody.invalid($0, $1)
        }
        let answer = JSONWriter.object { json in
            let lists = [("types" as StaticString, types), ("display", displays), ("group", groups), ("tag", tags)]
            for (name, words) in lists {
                json.name(name)
                if words.isEmpty { json.null() } else { json.array(Set(words).sorted()) { $0.string($1) } }
            }
        }
        return (StreamRequest(filter: filter, start: streamStart(after: last)), answer)
    }
}

extension Result<JSONRPCCall, JSONRPCCall.Invalid> {
    /// The id of the response; `nil` if the call gets none.
    fileprivate var answeredID: [UInt8]? {
        switch self {
        case .success(let call): call.id
        case .failure(let invalid): invalid.id
        }
    }
}
