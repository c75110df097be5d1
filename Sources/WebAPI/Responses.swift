// SPDX-License-Identifier: Apache-2.0
import BrightnessAPI
import BrightnessCore
import HTTPServer

extension Response {
    static func json(_ body: [UInt8], status: Int = 200, fields: [Field] = []) -> Response {
        Response(
            status: status,
            fields: [("Content-Type", "application/json"), ("Cache-Control", "no-cache"), ("Vary", "Origin")] + fields,
            body: body
        )
    }

    static func text(_ text: String) -> Response {
        Response(status: 200, fields: [("Content-Type", "text/plain; charset=utf-8")], body: Array(text.utf8))
    }

    static func state(_ state: DisplayState, in epoch: Epoch, status: Int = 200) -> Response {
        json(state.json, status: status, fields: [("ETag", EntityTag(epoch, state.revision).text)])
    }

    /// What came of a command, as far as it is known: the one answer, or one entry a display, with 200 if all did it, else 207.
    init(_ execution: CommandExecution, in epoch: Epoch) {
        let results = execution.results
        if !execution.isForAll, let only = results.first {
            self.init(only, in: epoch)
        } else {
            self = .json(CommandResult.list(results), status: results.allSatisfy { $0.status < 300 } ? 200 : 207)
        }
    }

    private init(_ result: CommandResult, in epoch: Epoch) {
        switch result.outcome {
        case .done(let state), .accepted(let state):
            self = .state(state, in: epoch, status: result.status)
        case .granted(let lease), .renewed(let lease):
            let location = "/v1/displays/\(result.display)/boosts/\(lease.id.text)"
            self = .json(result.json, status: result.status, fields: [("Location", location)])
        case .failed(let problem):
            self = problem.response
        }
    }

    /// The client has it already.
    static func unchanged(_ tag: EntityTag) -> Response {
        Response(status: 304, fields: [("ETag", tag.text), ("Cache-Control", "no-cache"), ("Vary", "Origin")])
    }

    func adding(_ more: [Field]) -> Response {
        var response = self
        response.fields += more
        return response
    }
}

/// Answers that many clients get, made once a revision. On its shard's thread.
final class KeptResponses {
    /// The states that were asked for since the newest revision of any display, by path. A few: it is searched in order.
    private var recent: [(path: KeptText, response: KeptResponse)] = []
    private var recentRevision = Revision(0)
    private var states: [DisplayID: (revision: Revision, response: KeptResponse)] = [:]
    private var list: (tag: EntityTag, response: KeptResponse)?
    private var files: [FileForm: KeptResponse] = [:]

    private struct FileForm: Hashable {
        let file: StaticFile
        let isCompressed: Bool
    }

    func state(_ state: DisplayState, in epoch: Epoch) -> KeptResponse {
        if let kept = states[state.id], kept.revision == state.revision { return kept.response }
        // Displays come and go, and nobody says here which of them are gone.
        if states.count >= Self.mostStates { states = [:] }
        let response = KeptResponse(.state(state, in: epoch))
        states[state.id] = (state.revision, response)
        return response
    }

    /// The answer to a plain GET of this path, if somebody asked for it since anything changed.
    func response(at path: RequestText, _ revision: Revision) -> KeptResponse? {
        guard recentRevision == revision else { return nil }
        return recent.firstIndex { path == $0.path }.map { recent[$0].response }
    }

    func keep(_ response: KeptResponse, at path: String, _ revision: Revision) {
        if recentRevision != revision || recent.count >= Self.mostRecent { recent = [] }
        recentRevision = revision
        recent.append((KeptText(path), response))
    }

    private static let mostRecent = 16
    private static let mostStates = 1_024

    func displays(_ displays: [DisplayState], _ tag: EntityTag) -> KeptResponse {
        if let list, list.tag == tag { return list.response }
        let body = JSONWriter.object { json in
            json.member("epoch", tag.epoch.text)
            json.member("revision", tag.revision.number)
            json.name("displays")
            json.array(displays) { $0.raw($1.json) }
        }
        let response = KeptResponse(.json(body, fields: [("ETag", tag.text)]))
        list = (tag, response)
        return response
    }

    func file(_ file: StaticFile, isCompressed: Bool) -> KeptResponse {
        let form = FileForm(file: file, isCompressed: isCompressed)
        if let kept = files[form] { return kept }
        let response = KeptResponse(isCompressed ? file.compressed : file.response)
        files[form] = response
        return response
    }
}
