// SPDX-License-Identifier: Apache-2.0
import TestSupport

@testable import BrightnessCore
@testable import HTTPServer
@testable import WebAPI

/// A client with a WebSocket at a display of 100 steps.
enum Calls {
    // Shared: one thread fuzzes, one test replays. Creating it takes longer than a thousand calls.
    nonisolated(unsafe) private static var room: CallRoom?

    static func check(_ bytes: [UInt8]) throws {
        // The frame reader accepts only valid UTF-8.
        guard bytes.count <= 4_096, String(validating: bytes, as: UTF8.self) != nil else { return }
        let room = try room ?? CallRoom()
        self.room = room
        let outcome = room.session().receive(.text(bytes))
        room.queue.runAll()
        let answer: [UInt8]?
        switch outcome.response {
        case .none: answer = nil
        case .now(.text(let text)): answer = text
        case .now(.binary): throw BrokenFact(description: "a binary answer")
        case .later(let deferred):
            answer = try require(deferred.response, "there is no answer although the panel has nothing to do").body
        }
        try require((0...100).contains(room.panel.step), "the panel is at step \(room.panel.step)")
        try check(answer, to: bytes)
        room.tidy()
    }

    /// JSON-RPC 2.0, sections 5 and 6.
    private static func check(_ answer: [UInt8]?, to message: [UInt8]) throws {
        let asked = JSONValue(parsing: message)
        let wanted = asked.map { wantsAnswer($0) } ?? true
        guard let answer else { return try require(!wanted, "nothing was answered") }
        try require(wanted, "a notification was answered: \(answer.text)")
        try require(StrictJSON(answer).isValid, "an answer is not JSON: \(answer.text)")
        let read = try require(JSONValue(parsing: answer, upTo: .max), "an answer cannot be read: \(answer.text)")
        try check(read, to: asked)
    }

    /// Whether a call gets an answer: all except notifications, also invalid ones.
    private static func wantsAnswer(_ call: JSONValue) -> Bool {
        guard case .object(let members) = call else { return true }
        if members["id"] != nil { return true }
        return (try? JSONRPCCall(call)) == nil
    }

    private static func check(_ answer: JSONValue, to call: JSONValue?) throws {
        guard case .object(let members) = answer else { throw BrokenFact(description: "an answer is not an object") }
        try require(members["jsonrpc"] == .string("2.0"), "an answer without its version")
        try require((members["result"] == nil) != (members["error"] == nil), "a result or an error, and not both")
        try require(members.count == 3, "an answer has three members")
        let id = try require(members["id"], "an answer without an id")
        let asked: JSONValue? = if case .object(let call)? = call { call["id"] } else { nil }
        try require(id == .null || id == asked, "no call has the id \(id)")
        if case .object(let error) = members["error"] {
            guard case .number(let code) = error["code"] else { throw BrokenFact(description: "an error has a code") }
            let isKnown = code == -32_700 || (-32_602 ... -32_600).contains(code) || code == -32_000
            try require(isKnown, "an error has the code \(code)")
        }
    }
}
