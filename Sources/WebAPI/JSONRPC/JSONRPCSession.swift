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
    private lazy var waitingCalls = WaitingCalls(backend, caller, at: client)
    private var channel: WebSocketChannel?
    /// `nil` if the daemon accepts no displays of clients. Few clients provide one.
    private lazy var provider = channel.flatMap { ProviderSession(backend, caller, on: $0) }

    init(with backend: Backend, _ caller: Caller, at client: ClientAddress, holder: String?) {
        self.backend = backend
        self.caller = caller
        self.client = client
        guard let holder else { return }
        self.holder = holder
        connectHolder()
    }

    private func connectHolder() { holderStream = holderStream ?? backend.connection(of: [holder], caller.principal) }

    // MARK: Messages

    func opened(_ channel: WebSocketChannel) { self.channel = channel }

    func receive(_ message: Message) -> MessageOutcome {
        guard case .text(let text) = message else { return MessageOutcome(.none) }
        do {
            return reply(to: try JSONValue.parse(text))
        } catch {
            let response = JSONRPCCall.response(.failure(.unreadable(error)), to: JSONRPCCall.null)
            return MessageOutcome(.now(.text(response.body)))
        }
    }

    private func reply(to value: JSONValue) -> MessageOutcome {
        guard let call = parse(value) else { return MessageOutcome(.none) }
        guard let id = call.responseID else {
            return MessageOutcome(.none, subscription: handle(call) { _ in })
        }
        let deferred = Deferred(limit: Self.timeout) { JSONRPCCall.response(.failure(.unanswered), to: id) }
        let subscription = handle(call) { deferred.complete(JSONRPCCall.response($0, to: id)) }
        return MessageOutcome(.later(deferred), subscription: subscription)
    }

    /// Reads a call. Returns `nil` for the response to a call of the daemon.
    private func parse(_ value: JSONValue) -> Result<JSONRPCCall, JSONRPCCall.Invalid>? {
        guard let response = JSONRPCResponse(value) else {
            return Result { () throws(JSONRPCCall.Invalid) in try JSONRPCCall(value) }
        }
        if provider?.receive(response) ?? false { return nil }
        return .failure(JSONRPCCall.Invalid(id: JSONRPCCall.null, error: .unknownResponse(response.id)))
    }

    // MARK: Calls

    private typealias Completion = JSONRPCCall.Completion

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
                try respondLater(with: target, completion: completion)
            } else {
                completion(.result(backend.document(of: target, displays, at: revision)))
            }
            return nil
        case .subscribe:
            let (subscription, result) = try backend.subscription(from: RequestBody(params: params, by: nil))
            completion(.result(result))
            return subscription
        case .provider(let method):
            // Clients report once what a person has set, so no report is rejected. The display reads the newest.
            if method == .changed { try caller.require(.write) } else { try countWrite() }
            guard let provider else { throw Problem(.notFound, "This daemon accepts no displays of clients.") }
            try provider.handle(method, from: RequestBody(params: params, by: nil), completion: completion)
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
        _ = try backend.configuration.writeLimit.count(caller, at: client, now: backend.surface.now)
    }

    /// Counts a call as unanswered, with its number of displays; 0 for one display.
    private func countUnanswered(_ displays: Int) throws(Problem) {
        guard waitingCalls.allowance.withLock({ $0.spend(displays) }) else {
            throw .retry(
                .clientLimitReached,
                "At most \(CallAllowance.callLimit) calls of a WebSocket may be unanswered, and calls for several "
                    + "displays count at most \(CallAllowance.displayLimit) displays together. Nothing was changed.",
                after: 1
            )
        }
    }

    /// Executes a command at once if it is for few displays and within the limits; otherwise it waits.
    private func execute(
        _ method: CommandMethod,
        from body: consuming RequestBody,
        completion: @escaping Completion
    ) throws(Problem) {
        let target = try method.isOfOneDisplay ? body.singleTarget() : body.target(orElse: method.defaultTarget)
        var command = try method.command(from: body, lifespan: .visible)
        command.requester = caller.requester
        command.by = command.by ?? caller.name
        try caller.require(command.scope)
        let isWithinWriteLimit = waitingCalls.isEmpty && (try? countWrite()) != nil
        let displays = try backend.commands.displays(of: target, within: caller.limit)
        let number = displays.isList ? displays.states.count : 0
        if command.mayNeedConnection(of: holder) { connectHolder() }
        let isLater = number > LargeCommands.fewDisplays || waitingCalls.queued.load(ordering: .relaxed) > 0
        // Rejects an invalid command before it counts as unanswered. A call that waits makes its execution in its turn.
        let execution = isLater ? nil : try backend.commands.execution(of: command, on: displays)
        try countUnanswered(number)
        let call = WaitingCalls.Call(command: command, target: target) { [waitingCalls] result in
            waitingCalls.allowance.withLock { $0.release(number) }
            completion(result.flatMap { .result($0) })
        }
        if !isWithinWriteLimit {
            waitingCalls.enqueue(call, under: .init(method: method, target: target))
        } else if let execution {
            waitingCalls.start(execution, of: call)
        } else {
            executeLater(call)
        }
    }

    /// Executes a command on the thread of large ones: one for many displays, or one behind such a command of this
    /// client.
    private func executeLater(_ call: WaitingCalls.Call) {
        waitingCalls.queued.add(1, ordering: .relaxed)
        do throws(Problem) {
            try backend.configuration.largeCommands.submit { [waitingCalls] in
                waitingCalls.execute(call, isLarge: true)
                waitingCalls.queued.subtract(1, ordering: .relaxed)
            }
        } catch {
            waitingCalls.queued.subtract(1, ordering: .relaxed)
            call.completion(.failure(JSONRPCError(error)))
        }
    }

    /// Responds with the states of many displays, which another thread encodes.
    private func respondLater(with target: DisplayTarget, completion: @escaping Completion) throws(Problem) {
        let (commands, service) = (backend.commands, backend.service)
        try backend.configuration.sharedResponses.make("JSON-RPC \(target)") { () throws(Problem) in
            let revision = service.revision
            let states = try commands.displays(of: target).states
            return (Response(status: 200, body: DisplayState.list(states, at: revision, in: service.epoch)), nil)
        } completion: { result in
            completion(result.mapError { JSONRPCError($0) })
        }
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
    /// Reads the params of `subscribe`: the new filter, and the result of the call.
    fileprivate func subscription(
        from body: consuming RequestBody
    ) throws(Problem) -> (StreamRequest, result: [UInt8]) {
        let types = try body.strings("types") ?? []
        let displays = try body.strings("display") ?? []
        let groups = try body.strings("group") ?? []
        let tags = try body.strings("tag") ?? []
        let last = try body.string("last_event_id", length: 0...256)
        try body.end()
        let filter = try filter(types: types, displays: displays, groups: groups, tags: tags) {
            RequestBody.invalid($0, $1)
        }
        let result = JSONWriter.object { json in
            let lists = [("types" as StaticString, types), ("display", displays), ("group", groups), ("tag", tags)]
            for (name, words) in lists {
                json.name(name)
                if words.isEmpty { json.null() } else { json.array(Set(words).sorted()) { $0.string($1) } }
            }
        }
        return (StreamRequest(filter: filter, start: streamStart(after: last)), result)
    }
}

extension Result<JSONRPCCall, JSONRPCCall.Invalid> {
    /// The id of the response; `nil` if the call gets none.
    fileprivate var responseID: [UInt8]? {
        switch self {
        case .success(let call): call.id
        case .failure(let invalid): invalid.id
        }
    }
}
