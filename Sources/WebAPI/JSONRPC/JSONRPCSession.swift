// SPDX-License-Identifier: Apache-2.0
import BrightnessAPI
import BrightnessCore
import HTTPServer
import Synchronization

/// What one client says over its WebSocket: calls of JSON-RPC 2.0, carried out as the REST routes would.
final class JSONRPCSession: Conversation {
    /// After so long an answer says that there is none yet. Only a panel that hangs takes so long.
    private static let timeout: Duration = .seconds(30)

    var rules: MessageRules { MessageRules(longest: RequestLimits.body) }
    private let backend: Backend
    private let authority: Authority
    private let client: ClientAddress
    /// Whose boosts these are where a call does not say; without `holder=` it is the token's name, or one is made when it is
    /// needed.
    private lazy var holder = authority.name ?? "websocket-\(String(UInt64.random(in: .min ... .max), radix: 16))"
    /// Binds the holder's boosts to this socket.
    private var presence: HolderStream?
    private let waiting = WaitingCalls()

    init(with backend: Backend, _ authority: Authority, at client: ClientAddress, holder: String?) {
        self.backend = backend
        self.authority = authority
        self.client = client
        guard let holder else { return }
        self.holder = holder
        bePresent()
    }

    private func bePresent() {
        guard presence == nil else { return }
        presence = backend.connection(of: [holder], authority.principal)
    }

    // MARK: Messages

    func receive(_ message: Message) -> MessageOutcome {
        guard case .text(let text) = message else { return MessageOutcome(.none) }
        switch JSONValue(parsing: text) {
        case nil:
            return refuse(.unreadable)
        case .array(let calls):
            guard (1...CallAllowance.callLimit).contains(calls.count) else {
                return refuse(
                    .invalidRequest("A batch has 1 to \(CallAllowance.callLimit) calls. Nothing was changed.")
                )
            }
            return answer(calls, isBatch: true)
        case .some(let call):
            return answer([call], isBatch: false)
        }
    }

    private func refuse(_ error: JSONRPCError) -> MessageOutcome {
        MessageOutcome(.now(.text(JSONRPCAnswers.encode(.failure(error), Array("null".utf8)))))
    }

    private func answer(_ values: [JSONValue], isBatch: Bool) -> MessageOutcome {
        let calls = values.map { value in Result { () throws(JSONRPCCall.Invalid) in try JSONRPCCall(value) } }
        let answers = JSONRPCAnswers(to: calls.compactMap(\.answeredID), isBatch: isBatch)
        let deferred = Deferred(limit: Self.timeout) { Response(status: 200, body: answers.text) }
        var subscription: MessageOutcome.Subscription?
        var allowance = CallAllowance()
        var index = 0
        for call in calls {
            let place = call.answeredID == nil ? nil : index
            index += place == nil ? 0 : 1
            let wanted = carryOut(call, in: &allowance) { result in
                guard let place, answers.add(result, at: place) else { return }
                deferred.complete(Response(status: 200, body: answers.text))
            }
            subscription = wanted ?? subscription
        }
        return MessageOutcome(index == 0 ? .none : .later(deferred), subscription: subscription)
    }

    // MARK: Calls

    private typealias Completion = @Sendable (Result<[UInt8], JSONRPCError>) -> Void

    /// - Parameters:
    ///   - allowance: What the calls of its message may ask for.
    ///   - completion: Called once, on any thread.
    private func carryOut(
        _ call: Result<JSONRPCCall, JSONRPCCall.Invalid>,
        in allowance: inout CallAllowance,
        completion: @escaping Completion
    ) -> MessageOutcome.Subscription? {
        do throws(JSONRPCError) {
            let call = try call.mapError(\.error).get()
            guard let method = JSONRPCMethod(call.method) else { throw .unknownMethod(call.method) }
            do throws(Problem) {
                return try carryOut(method, with: call.params, in: &allowance, completion: completion)
            } catch {
                throw JSONRPCError(error)
            }
        } catch {
            completion(.failure(error))
            return nil
        }
    }

    private func carryOut(
        _ method: JSONRPCMethod,
        with params: [String: JSONValue],
        in allowance: inout CallAllowance,
        completion: @escaping Completion
    ) throws(Problem) -> MessageOutcome.Subscription? {
        switch method {
        case .get:
            var body = RequestBody(params: params, by: nil)
            let target = try body.target()
            try body.end()
            _ = try count(target, in: &allowance)
            completion(.success(try backend.document(of: target)))
            return nil
        case .subscribe:
            let (subscription, answer) = try backend.subscription(from: RequestBody(params: params, by: nil))
            completion(.success(answer))
            return subscription
        case .command(let method):
            try authority.require(.write)
            _ = try backend.configuration.writeLimit.count(authority, at: client, now: backend.configuration.now)
            let body = RequestBody(params: params, by: holder)
            try carryOut(method, from: body, in: &allowance, completion: completion)
            return nil
        }
    }

    private func carryOut(
        _ method: CommandMethod,
        from body: consuming RequestBody,
        in allowance: inout CallAllowance,
        completion: @escaping Completion
    ) throws(Problem) {
        let target = try method.isOfOneDisplay ? body.singleTarget() : body.target()
        var (command, kind) = try method.command(from: body, lifespan: .visible)
        command.asker = authority.asker
        command.by = command.by ?? authority.name
        try authority.require(command.scope)
        let displays = try count(target, in: &allowance)
        if method == .boost, command.by == holder { bePresent() }
        let execution = try backend.commands.execution(of: command, answering: kind, on: target)
        guard waiting.withLock({ $0.take(displays) }) else {
            throw .retry(
                .tooManyCalls,
                "\(CallAllowance.callLimit) calls wait for an answer, or those for all displays are for more than "
                    + "\(CallAllowance.displayLimit) of them together. Nothing was changed.",
                after: 1
            )
        }
        execution.start(at: backend.configuration.now()) { [waiting] in
            waiting.withLock { $0.giveBack(displays) }
            completion(execution.answer.mapError { JSONRPCError($0) })
        }
    }

    /// - Returns: How many displays `all` stands for; 0 for one.
    private func count(_ target: DisplayTarget, in allowance: inout CallAllowance) throws(Problem) -> Int {
        let displays = target == .all ? backend.service.all.states.count : 0
        guard allowance.take(displays) else {
            throw Problem(
                .tooManyCalls,
                "The calls of this batch for all displays are for more than \(CallAllowance.displayLimit) of them together. "
                    + "Nothing was changed by this one."
            )
        }
        return displays
    }
}

extension Backend {
    /// `subscribe`: which events come from now on, and what is answered.
    fileprivate func subscription(
        from body: consuming RequestBody
    ) throws(Problem) -> (MessageOutcome.Subscription, answer: [UInt8]) {
        let types = try body.strings("types") ?? []
        let displays = try body.strings("display") ?? []
        let last = try body.string("last_event_id", length: 0...256)
        try body.end()
        let filter = try filter(types: types, displays: displays) { RequestBody.invalid("types", $0) }
        let answer = JSONWriter.object { json in
            for (name, words) in [("types" as StaticString, types), ("display", displays)] {
                json.name(name)
                if words.isEmpty { json.null() } else { json.array(Set(words).sorted()) { $0.string($1) } }
            }
        }
        return (MessageOutcome.Subscription(filter: filter, start: streamStart(after: last)), answer)
    }
}

/// What a client has asked of panels that have not answered yet. Any thread.
private final class WaitingCalls: Sendable {
    private let allowance = Mutex(CallAllowance())

    func withLock<Value>(_ body: (inout CallAllowance) -> Value) -> Value { allowance.withLock { body(&$0) } }
}

extension Result<JSONRPCCall, JSONRPCCall.Invalid> {
    /// The id that an answer needs; `nil` if none is to be sent.
    fileprivate var answeredID: [UInt8]? {
        switch self {
        case .success(let call): call.id
        case .failure(let invalid): invalid.id
        }
    }
}

/// How much a client of a WebSocket may ask for at a time: in one batch, and of displays that have not answered yet.
///
/// A call for `all` displays costs, and is answered with, as much as a call for each. The first one may be for any number; all
/// of them together for `displayLimit`. So a message of 4 KiB is answered with a bounded number of documents.
struct CallAllowance {
    static let callLimit = 64
    static let displayLimit = 256

    private var calls = 0
    /// What calls for `all` displays stand for.
    private var displays = 0

    /// Counts a call.
    ///
    /// - Parameter displays: How many a call for `all` of them stands for; 0 for one that names its display.
    /// - Returns: `false` if it is too much, and not counted.
    mutating func take(_ displays: Int) -> Bool {
        let isFirst = self.displays == 0
        guard calls < Self.callLimit, displays == 0 || isFirst || self.displays + displays <= Self.displayLimit else {
            return false
        }
        calls += 1
        self.displays += displays
        return true
    }

    mutating func giveBack(_ displays: Int) {
        calls -= 1
        self.displays -= displays
    }
}
