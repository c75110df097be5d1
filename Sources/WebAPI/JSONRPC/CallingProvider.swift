// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import HTTPServer
import Synchronization

/// A client that provides displays over its WebSocket: the daemon calls it, and waits for its responses. Any thread.
final class CallingProvider: DisplayProvider {
    typealias Completion = @Sendable (_ isDone: Bool) -> Void

    private struct Call {
        let number: Int
        let completion: Completion
    }

    private struct State {
        var last = 0
        /// The unanswered call for each display: at most one for each that the client provides.
        var unanswered: [DisplayID: Call] = [:]
        var isGone = false
    }

    private let channel: WebSocketChannel
    private let state = Mutex(State())

    init(_ channel: WebSocketChannel) { self.channel = channel }

    var isGone: Bool { state.withLock(\.isGone) }

    func apply(_ target: ProvidedTarget, to id: DisplayID, completion: @escaping Completion) {
        let (number, replaced) = state.withLock { state -> (Int?, Call?) in
            if state.isGone { return (nil, nil) }
            state.last += 1
            let call = Call(number: state.last, completion: completion)
            return (call.number, state.unanswered.updateValue(call, forKey: id))
        }
        // Its response counts for nothing: the display was provided again since.
        replaced?.completion(false)
        guard let number else { return completion(false) }
        send("apply", number) { json in
            json.member("display", id.text)
            json.member("brightness", decimal: target.brightness.fraction)
            json.member("raw", target.step)
            json.member("on", target.isOn)
        }
    }

    func withdrawn(_ id: DisplayID) {
        forget(id)
        send("withdrawn", nil) { $0.member("display", id.text) }
    }

    /// Drops the call for a display that the client does not provide any more.
    func forget(_ id: DisplayID) { state.withLock { $0.unanswered.removeValue(forKey: id) }?.completion(false) }

    private func send(_ method: StaticString, _ number: Int?, _ params: (inout JSONWriter) -> Void) {
        let text = JSONWriter.object { json in
            json.member("jsonrpc", "2.0")
            if let number { json.member("id", number) }
            json.member("method", "\(method)")
            json.member("params", params)
        }
        channel.send(.text(text))
    }

    /// Returns whether it is the response to a call, which may have been dropped.
    func receive(_ response: JSONRPCResponse) -> Bool {
        let (completion, isKnown) = state.withLock { state -> (Completion?, Bool) in
            let isKnown = response.id > 0 && response.id <= state.last
            guard let id = state.unanswered.first(where: { $0.value.number == response.id })?.key else {
                return (nil, isKnown)
            }
            return (state.unanswered.removeValue(forKey: id)?.completion, isKnown)
        }
        completion?(response.isDone)
        return isKnown
    }

    /// The client is gone: nothing is answered any more.
    func end() {
        let unanswered = state.withLock { state in
            state.isGone = true
            defer { state.unanswered = [:] }
            return state.unanswered.values.map(\.completion)
        }
        for completion in unanswered { completion(false) }
    }
}

/// A client's response to a call of the daemon (JSON-RPC 2.0, section 5).
struct JSONRPCResponse {
    let id: Int
    let isDone: Bool

    /// Returns `nil` for a call. A response without an id of ours is one to no call.
    init?(_ value: JSONValue) {
        guard case .object(let members) = value, members["method"] == nil else { return nil }
        guard members["result"] != nil || members["error"] != nil else { return nil }
        id = if case .number(let number)? = members["id"] { Int(exactly: number) ?? 0 } else { 0 }
        isDone = members["error"] == nil
    }
}
