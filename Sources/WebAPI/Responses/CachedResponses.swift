// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import HTTPServer

/// Responses shared by many clients, made once per revision.
final class CachedResponses: @unchecked Sendable {  // Only its shard's thread uses it.
    private static let mostRecent = 16
    private static let mostStates = 1_024
    private static let mostFilters = 8

    /// The states requested since the newest revision of any display, by path. Few enough for a linear search.
    @exclusivity(unchecked) private var recent: [(path: CachedText, response: CachedResponse)] = []
    private var recentRevision = Revision(0)
    private var states: [DisplayID: (revision: Revision, response: CachedResponse)] = [:]
    private var list: (tag: EntityTag, response: CachedResponse)?
    /// Parts of the list at one revision.
    private var filtered: (tag: EntityTag, responses: [String: CachedResponse])?
    private var files: [FileForm: CachedResponse] = [:]

    private struct FileForm: Hashable {
        let path: String
        let isCompressed: Bool
    }

    func state(_ state: DisplayState, in epoch: Epoch) -> CachedResponse {
        if let cached = states[state.id], cached.revision == state.revision { return cached.response }
        // Nothing else forgets the displays that are gone.
        if states.count >= Self.mostStates { states = [:] }
        let response = CachedResponse(.state(state, in: epoch))
        states[state.id] = (state.revision, response)
        return response
    }

    /// The response to a plain GET of this path, if no display changed since it was stored.
    func response(at path: RequestText, _ revision: Revision) -> CachedResponse? {
        guard recentRevision == revision else { return nil }
        return recent.firstIndex { path == $0.path }.map { recent[$0].response }
    }

    func store(_ response: CachedResponse, at path: String, _ revision: Revision) {
        if recentRevision != revision || recent.count >= Self.mostRecent { recent = [] }
        recentRevision = revision
        recent.append((CachedText(path), response))
    }

    func displays(_ displays: [DisplayState], _ tag: EntityTag) -> CachedResponse {
        if let list, list.tag == tag { return list.response }
        let response = CachedResponse(.displays(displays, nil, tag))
        list = (tag, response)
        return response
    }

    /// - Parameters:
    ///   - filter: Which part of the list it is.
    ///   - response: Makes the response at the first request.
    func filtered(_ tag: EntityTag, _ filter: String, response: () -> Response) -> CachedResponse {
        if filtered?.tag == tag, let cached = filtered?.responses[filter] { return cached }
        let response = CachedResponse(response())
        if filtered?.tag != tag || filtered?.responses.count ?? 0 >= Self.mostFilters { filtered = (tag, [:]) }
        filtered?.responses[filter] = response
        return response
    }

    /// - Parameters:
    ///   - isCompressed: Each path has two responses.
    ///   - response: Makes the response at the first request.
    func file(at path: String, isCompressed: Bool, response: () -> Response) -> CachedResponse {
        let form = FileForm(path: path, isCompressed: isCompressed)
        if let cached = files[form] { return cached }
        let response = CachedResponse(response())
        files[form] = response
        return response
    }
}
