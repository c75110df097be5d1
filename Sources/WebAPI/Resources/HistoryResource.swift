// SPDX-License-Identifier: Apache-2.0
import BrightnessAPI
import BrightnessCore
import Documents
import HTTPServer
import Journal

extension Resource {
    /// The brightness of a display over time, its boosts and causes.
    static let history = Resource("/v1/history", or: .csv, .get(read))
}

/// A journal that does not respond in this time has a slow or failing disk.
private let timeout: Duration = .seconds(5)
private let defaultSpan: Duration = .seconds(3_600)
/// A year, in seconds.
private let longestStep = 31_536_000

/// The journal's thread reads and encodes the history; nothing waits here.
private func read(_ context: RequestContext) throws(Problem) -> Reply {
    let query = try parameters(context)
    let unavailable = Problem.retry(
        .temporarilyUnavailable,
        "The history could not be read within 5 seconds. The daemon's log has the reason.",
        after: 5
    ).response
    let deferred = Deferred(limit: timeout) { unavailable }
    let isTable = Accept(context.request.list("Accept")).prefers(.csv, to: .json)
    context.backend.history.read(query) { history in
        let response = history.map { history in
            let document = HistoryDocument(query, history)
            return isTable ? csv(document) : .json(document.json, fields: [("Vary", "Accept")])
        }
        deferred.complete(response ?? unavailable)
    }
    return .later(deferred)
}

private func csv(_ document: HistoryDocument) -> Response {
    let fields = [
        ("Content-Type", "text/csv; charset=utf-8; header=present"), ("Cache-Control", "no-cache"),
        ("Content-Disposition", "attachment; filename=\"history.csv\""), ("Vary", "Origin, Accept"),
    ]
    return Response(status: 200, fields: fields, body: document.csv)
}

/// `display`, `from`, `to` and `step`.
private func parameters(_ context: RequestContext) throws(Problem) -> HistoryQuery {
    let (request, backend) = (context.request, context.backend)
    let display = try backend.commands.state(of: request.query("display").map { .named($0) } ?? .byDefault).id
    let to = try timeParameter("to", request.query("to")) ?? backend.configuration.now().wall
    let from = try timeParameter("from", request.query("from")) ?? to + (.zero - defaultSpan)
    guard from.isWritable, to.isWritable else {
        throw Problem(.invalidRequest, "from and to must be in the years 0000 to 9999.")
    }
    let step = try stepParameter(request)
    do throws(HistoryQuery.Failure) {
        return try HistoryQuery(display, from: from, to: to, step: step)
    } catch {
        switch error {
        case .empty:
            throw Problem(.invalidRequest, "from must be before to: \(from.rfc3339) is not before \(to.rfc3339).")
        case .tooFine(let smallest):
            let limit = HistoryQuery.limit
            throw Problem(
                .invalidRequest,
                "step is too small: the response would have more than \(limit) points. Use a step of at least "
                    + "\(smallest)."
            )
        }
    }
}

private func timeParameter(_ name: String, _ text: String?) throws(Problem) -> Timestamp? {
    guard let text else { return nil }
    guard let time = Timestamp(rfc3339: text) else {
        throw Problem(
            .invalidRequest,
            "\(name) must be a time with an offset, such as 2026-11-21T06:00:00Z (RFC 3339)."
        )
    }
    return time
}

private func stepParameter(_ request: Request) throws(Problem) -> Int? {
    guard let text = request.query("step") else { return nil }
    guard let step = Int(text), (1...longestStep).contains(step) else {
        throw Problem(.invalidRequest, "step must be a whole number of seconds from 1 to \(longestStep).")
    }
    return step
}
