// SPDX-License-Identifier: Apache-2.0
import BrightnessAPI
import Documents
import Synchronization

/// The responses to the calls of one message (JSON-RPC 2.0, sections 5 and 6). Any thread.
final class JSONRPCAnswers: Sendable {
    private struct State {
        var answers: [[UInt8]?]
        var missing: Int
    }

    private let ids: [[UInt8]]
    private let isBatch: Bool
    private let state: Mutex<State>

    /// - Parameter ids: The ids of all calls but notifications.
    init(to ids: [[UInt8]], isBatch: Bool) {
        self.ids = ids
        self.isBatch = isBatch
        state = Mutex(State(answers: ids.map { _ in nil }, missing: ids.count))
    }

    /// Adds the response to the call with the id at `index`. Returns whether it was the last.
    func add(_ result: Result<[UInt8], JSONRPCError>, at index: Int) -> Bool {
        let answer = Self.encode(result, ids[index])
        return state.withLock { state in
            state.answers[index] = answer
            state.missing -= 1
            return state.missing == 0
        }
    }

    /// The message to send. Missing responses are sent as an error.
    var text: [UInt8] {
        state.withLock { state in
            let answers = zip(ids, state.answers).map { id, answer in
                answer ?? Self.encode(.failure(JSONRPCError(Self.unanswered)), id)
            }
            guard isBatch else { return answers.first ?? [] }
            var json = JSONWriter()
            json.array(answers) { $0.raw($1) }
            return json.bytes
        }
    }

    private static let unanswered = Problem.retry(
        .displayUnavailable,
        "The display did not respond within 30 seconds. The next state of the display shows whether it changed.",
        after: 5
    )

    static func encode(_ result: Result<[UInt8], JSONRPCError>, _ id: [UInt8]) -> [UInt8] {
        JSONWriter.object { json in
            json.member("jsonrpc", "2.0")
            switch result {
            case .success(let result):
                json.name("result")
                json.raw(result)
            case .failure(let error):
                json.member("error") { json in
                    json.member("code", error.code)
                    json.member("message", error.message)
                    json.name("data")
                    json.raw(error.problem.json)
                }
            }
            json.name("id")
            json.raw(id)
        }
    }
}
