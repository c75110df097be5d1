// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import HTTPServer

extension WebApplication {
    /// What `types=` may name. There are no ambient events yet; asking for them is no error.
    private static let types: Set<String> = ["brightness", "boost", "ambient", "display"]

    /// `GET /v1/events`.
    func stream(_ request: Request) throws(Problem) -> Reply {
        let holders = try holders(request)
        let last = request.header("Last-Event-ID") ?? request.query("last_event_id")
        return .stream(
            StreamRequest(
                filter: EventFilter(names: try types(request), subjects: try displays(request)),
                // An id that this run has not given out yet is nobody's last one.
                after: last.flatMap { EntityTag(id: $0, in: service.epoch)?.revision }
                    .flatMap { $0 <= service.revision ? $0.number : nil },
                companion: holders.isEmpty ? nil : HolderStream(of: holders, service, now: configuration.now),
                refusal: Problem.retry(.tooManyStreams, "Close a stream, or come back later.", after: 10).response
            )
        )
    }

    /// `holder=`: whose boosts live as long as this stream.
    private func holders(_ request: Request) throws(Problem) -> Set<String> {
        guard request.method == .get else { return [] }
        let holders = Set(request.queries("holder"))
        for holder in holders where !holder.isPlain(ofLength: 1...128) {
            throw Problem(.malformedQuery, "holder is a name of 1 to 128 characters without control characters.")
        }
        return holders
    }

    private func types(_ request: Request) throws(Problem) -> Set<String>? {
        let names = request.queries("types").flatMap { $0.split(separator: ",").map(String.init) }
        for name in names where !Self.types.contains(name) {
            throw Problem(
                .malformedQuery,
                "There is no event type \"\(name)\". There are brightness, boost, ambient, display."
            )
        }
        return names.isEmpty ? nil : Set(names)
    }

    private func displays(_ request: Request) throws(Problem) -> Set<String>? {
        let ids = request.queries("display")
        for id in ids { _ = try state(of: .named(id)) }
        return ids.isEmpty ? nil : Set(ids)
    }
}
